-- What this very attempt was given, if its answer was lost: the token is the attempt's.
SELECT
    worker_id, epoch, floor_ms, reserved_ms,
    CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
FROM snowmint_worker
WHERE realm = :realm AND owner = :owner AND token = CAST(:token AS bytea)
