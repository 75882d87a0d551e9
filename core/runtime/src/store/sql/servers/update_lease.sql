-- Changes a row that is still as it was read.
UPDATE snowmint_worker SET
    owner = :owner, epoch = :epoch, token = :token,
    floor_ms = :floor_ms, reserved_ms = :reserved_ms, expires_ms = :expires_ms, updated_ms = :now_ms
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :known_epoch AND token = :known_token
    AND reserved_ms = :known_reserved_ms AND expires_ms = :known_expires_ms
