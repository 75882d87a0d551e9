-- The epoch rises so that the old holder's renewals no longer match.
UPDATE snowmint_worker SET
    expires_ms = least(expires_ms, CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)),
    epoch = epoch + 1
WHERE realm = :realm AND worker_id = :worker_id
