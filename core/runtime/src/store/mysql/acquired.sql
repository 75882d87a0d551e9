-- What this very attempt was given, if its answer was lost: the token is the attempt's.
SELECT
    worker_id, epoch, floor_ms, reserved_ms,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
FROM snowmint_worker
WHERE realm = :realm AND owner = :owner AND token = :token
