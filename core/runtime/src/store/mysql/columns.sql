-- Returns the columns of our tables that this user sees, and which tables have a primary key. A
-- user who may only read does not see the tables' constraints.
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
