-- What columns of our tables this user sees, and which tables have a primary key. Who may only read
-- is not told their constraints.
SELECT table_name, column_name, CASE data_type WHEN 'int' THEN 'integer' ELSE data_type END
FROM information_schema.columns
WHERE table_schema = database()
    AND table_name IN ('snowmint_worker', 'snowmint_segment', 'snowmint_schema')
UNION ALL
SELECT DISTINCT table_name, 'PRIMARY KEY', 'constraint'
FROM information_schema.columns
WHERE table_schema = database()
    AND table_name IN ('snowmint_worker', 'snowmint_segment', 'snowmint_schema')
    AND column_key = 'PRI'
