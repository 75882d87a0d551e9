-- Returns the sequences that this user may read or draw from: the schema if the name alone does not
-- find it, the name, and whether the user may read it. The CASE keeps the planner from testing the
-- privilege of relations that are not sequences.
SELECT
    CASE WHEN NOT pg_table_is_visible(pg_class.oid) THEN CAST(nspname AS text) END,
    CAST(relname AS text),
    has_sequence_privilege(pg_class.oid, 'SELECT')
FROM pg_sequence
    JOIN pg_class ON pg_class.oid = seqrelid
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE has_schema_privilege(pg_namespace.oid, 'USAGE')
    AND CASE
        WHEN relkind = 'S' THEN has_sequence_privilege(pg_class.oid, 'SELECT, USAGE, UPDATE')
    END
    AND relpersistence <> 't'
ORDER BY 1 NULLS FIRST, 2
