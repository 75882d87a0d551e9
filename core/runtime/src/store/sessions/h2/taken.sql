-- The time is that of the statement that took it. Of nobody else's lease, whatever became of that.
SELECT worker_id, epoch, floor_ms, reserved_ms, expires_ms - :reserve_ms
FROM snowmint_worker
WHERE realm = :realm AND worker_id = :worker_id AND owner = :owner AND token = :token
