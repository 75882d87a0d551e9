-- Sets a token that no lease has, so that a renewal still on its way cannot revive the lease.
UPDATE snowmint_worker SET
    token = zeroblob(16),
    expires_ms = min(expires_ms, CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :epoch AND owner = :owner AND token = :token
