-- The first lease's layout becomes that of the key space.
UPDATE snowmint_schema SET layout = :realm WHERE layout IS NULL
