-- The layout of the first lease is that of the key space. With a limit, as some servers ask of changes
-- without a key; by its key the row would be waited for.
UPDATE snowmint_schema SET layout = :realm WHERE layout IS NULL LIMIT 1
