-- The epoch rises so that the old holder's renewals no longer match.
UPDATE snowmint_worker SET
    expires_ms = min(expires_ms, CAST(round(unixepoch('subsec') * 1000) AS INTEGER)),
    epoch = epoch + 1
WHERE realm = :realm AND worker_id = :worker_id
