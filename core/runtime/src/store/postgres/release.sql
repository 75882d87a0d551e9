-- Sets a token that no lease has, so that a renewal still on its way cannot revive the lease.
UPDATE snowmint_worker SET
    token = decode(repeat('00', 16), 'hex'),
    updated_ms = CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint),
    expires_ms = least(expires_ms, CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint))
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :epoch AND owner = :owner AND token = CAST(:token AS bytea)
