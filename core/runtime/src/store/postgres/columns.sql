-- Returns the columns of our tables, and which tables have a primary key.
SELECT CAST(relname AS text), CAST(attname AS text), format_type(atttypid, NULL)
FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE pg_class.oid IN (
        to_regclass('snowmint_worker'),
        to_regclass('snowmint_segment'),
        to_regclass('snowmint_schema')
    )
    AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT CAST(relname AS text), 'PRIMARY KEY', 'constraint'
FROM pg_class JOIN pg_index ON indrelid = pg_class.oid
WHERE pg_class.oid IN (
        to_regclass('snowmint_worker'),
        to_regclass('snowmint_segment'),
        to_regclass('snowmint_schema')
    )
    AND indisprimary
