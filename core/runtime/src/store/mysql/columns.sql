-- What columns our tables have, and which of them have a primary key.
SELECT table_name, column_name, CASE data_type WHEN 'int' THEN 'integer' ELSE data_type END
FROM information_schema.columns
WHERE table_schema = database()
    AND table_name IN ('snowmint_worker', 'snowmint_segment', 'snowmint_schema')
UNION ALL
SELECT table_name, constraint_type, 'constraint'
FROM information_schema.table_constraints
WHERE table_schema = database()
    AND table_name IN ('snowmint_worker', 'snowmint_segment', 'snowmint_schema')
    AND constraint_type = 'PRIMARY KEY'
