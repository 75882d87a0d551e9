-- The first lease's layout becomes that of the key space. LIMIT satisfies servers that refuse
-- updates without a key. A WHERE by the key would wait for the row's lock even if nothing is to
-- change, as MariaDB 11.8 does without it, too.
UPDATE snowmint_schema SET layout = :realm WHERE layout IS NULL LIMIT 1
