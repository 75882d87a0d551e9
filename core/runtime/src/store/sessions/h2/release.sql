-- The token of nobody: no renewal that is still on its way can revive the lease.
UPDATE snowmint_worker SET
    token = X'00000000000000000000000000000000',
    expires_ms = least(expires_ms, CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT))
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :epoch AND owner = :owner AND token = :token
