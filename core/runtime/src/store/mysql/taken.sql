-- The time is that of the statement that took it.
SELECT worker_id, epoch, floor_ms, reserved_ms, expires_ms - CAST(:slab_ms AS signed)
FROM snowmint_worker
WHERE realm = :realm AND worker_id = :worker_id
