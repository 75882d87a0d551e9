WITH clock(now) AS (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
SELECT realm, worker_id, owner, epoch, reserved_ms, expires_ms, expires_ms > now
FROM snowmint_worker, clock
WHERE :realm IS NULL OR realm = :realm
ORDER BY realm, worker_id
