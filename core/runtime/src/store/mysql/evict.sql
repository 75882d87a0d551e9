-- The epoch rises so that the old holder's renewals no longer match.
UPDATE snowmint_worker SET
    expires_ms = least(expires_ms, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000),
    epoch = epoch + 1
WHERE realm = :realm AND worker_id = :worker_id
