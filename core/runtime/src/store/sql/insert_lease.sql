INSERT INTO snowmint_worker
    (realm, worker_id, owner, epoch, token, floor_ms, reserved_ms, expires_ms)
VALUES (:realm, :worker_id, :owner, :epoch, :token, :floor_ms, :reserved_ms, :expires_ms)
