-- The layout of the first lease is that of the key space.
UPDATE snowmint_schema SET layout = :realm WHERE layout IS NULL
