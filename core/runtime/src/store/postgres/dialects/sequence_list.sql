-- Those that this user may look at, and whose values are numbers of ours.
SELECT CAST(
    CASE WHEN pg_table_is_visible(pg_class.oid) THEN relname ELSE nspname || '.' || relname END
    AS text
)
FROM pg_sequence
    JOIN pg_class ON pg_class.oid = seqrelid
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE seqincrement BETWEEN 1 AND 1073741824
    AND has_schema_privilege(pg_namespace.oid, 'USAGE')
    AND has_sequence_privilege(pg_class.oid, 'SELECT')
    AND relpersistence <> 't'
    AND relname NOT LIKE '%.%' AND nspname NOT LIKE '%.%'
ORDER BY 1
