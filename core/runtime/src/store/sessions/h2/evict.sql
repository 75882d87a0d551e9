-- The epoch rises so that the old holder's renewals no longer match.
UPDATE snowmint_worker SET
    expires_ms = least(expires_ms, CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)),
    epoch = epoch + 1
WHERE realm = :realm AND worker_id = :worker_id
