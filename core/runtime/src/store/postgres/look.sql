-- What of our schema the search path shows: each table, and whether it lacks its trigger.
SELECT
    CAST(pg_namespace.nspname AS text),
    CAST(pg_class.relname AS text),
    pg_class.relname <> 'snowmint_schema' AND NOT EXISTS (
        SELECT * FROM pg_trigger
        WHERE tgrelid = pg_class.oid AND tgenabled IN ('O', 'A')
            AND tgname = pg_class.relname || '_rises'
    )
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
WHERE pg_class.oid IN (
    to_regclass('snowmint_worker'), to_regclass('snowmint_segment'), to_regclass('snowmint_schema')
)
ORDER BY 1, 2
