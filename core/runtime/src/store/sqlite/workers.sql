-- Returns the rows of a realm, one of them, or all rows, with the time. The time is rounded because
-- the seconds are a floating-point number, whose product may lie just below the millisecond.
SELECT
    realm, worker_id, owner, epoch, reserved_ms, expires_ms, floor_ms, hex(token),
    CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
FROM snowmint_worker
WHERE (:realm IS NULL OR realm = :realm) AND (:worker_id IS NULL OR worker_id = :worker_id)
ORDER BY realm, worker_id
