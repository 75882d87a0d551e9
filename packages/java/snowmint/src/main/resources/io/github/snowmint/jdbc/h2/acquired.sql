-- What this very attempt was given, if its answer was lost: the token is the attempt's.
SELECT
    worker_id, epoch, floor_ms, reserved_ms,
    CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)
FROM snowmint_worker
WHERE realm = :realm AND owner = :owner AND token = :token
