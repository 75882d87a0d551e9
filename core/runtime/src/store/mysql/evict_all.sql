-- The rows are locked, and renewals of before no longer match.
UPDATE snowmint_worker SET epoch = epoch + 1 WHERE realm = :realm
