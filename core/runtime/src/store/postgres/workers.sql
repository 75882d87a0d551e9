WITH clock(now) AS (SELECT CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint))
SELECT realm, worker_id, owner, epoch, reserved_ms, expires_ms, expires_ms > now
FROM snowmint_worker, clock
WHERE CAST(:realm AS text) IS NULL OR realm = :realm
ORDER BY realm, worker_id
