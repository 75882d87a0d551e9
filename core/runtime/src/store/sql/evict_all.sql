-- Locks the rows. The epoch rises so that renewals from before no longer match.
UPDATE snowmint_worker SET epoch = epoch + 1 WHERE realm = :realm
