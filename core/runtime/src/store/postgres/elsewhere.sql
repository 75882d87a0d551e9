-- Returns the other schemas of this database that have tables of ours.
SELECT CAST(nspname AS text), CAST(relname AS text)
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname <> CAST(:schema AS text)
    AND relname IN ('snowmint_worker', 'snowmint_segment', 'snowmint_schema')
    AND relkind IN ('r', 'p') AND relpersistence <> 't'
ORDER BY 1, 2
