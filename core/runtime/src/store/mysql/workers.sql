WITH clock(now) AS (SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)
SELECT realm, worker_id, owner, epoch, reserved_ms, expires_ms, expires_ms > now
FROM snowmint_worker, clock
WHERE CAST(:realm AS char(255)) IS NULL OR realm = :realm
ORDER BY realm, worker_id
