-- Sets a token that no lease has, so that a renewal still on its way cannot revive the lease.
UPDATE snowmint_worker SET
    token = repeat(char(0), 16),
    updated_ms = TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000,
    expires_ms = least(expires_ms, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :epoch AND owner = :owner AND token = :token
