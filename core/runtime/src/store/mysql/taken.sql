-- Returns the lease that this call took, with the time of the statement that took it. Returns no
-- row for another owner's or an earlier call's lease.
SELECT worker_id, epoch, floor_ms, reserved_ms, expires_ms - CAST(:reserve_ms AS signed)
FROM snowmint_worker
WHERE realm = :realm AND worker_id = :worker_id AND owner = :owner AND token = :token
