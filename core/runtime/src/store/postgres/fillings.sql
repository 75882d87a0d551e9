-- Returns the sequences that fill a column or belong to it, or the columns of a sequence. Of each:
-- its schema if the name alone does not find it, its name, whether it cycles, whether this user may
-- read it, the largest number that it may have given, the table, the column, and the clause that
-- detaches it.
SELECT
    CASE WHEN NOT pg_table_is_visible(seqrelid) THEN CAST(nspname AS text) END,
    CAST(relname AS text),
    seqcycle,
    has_sequence_privilege(seqrelid, 'SELECT, USAGE'),
    CASE
        WHEN has_sequence_privilege(seqrelid, 'SELECT, USAGE') AND seqincrement > 0 THEN
            CAST(
                CAST(pg_sequence_last_value(CAST(seqrelid AS regclass)) AS numeric) + seqincrement - 1
                AS text
            )
    END,
    CAST(CAST(attrelid AS regclass) AS text),
    quote_ident(attname),
    CASE WHEN attidentity <> '' THEN 'DROP IDENTITY' WHEN draws THEN 'DROP DEFAULT' END
FROM
    (
        SELECT of_table, of_column, sequence, bool_or(has_default) AS draws
        FROM (
            SELECT refobjid AS of_table, refobjsubid AS of_column, objid AS sequence,
                FALSE AS has_default
            FROM pg_depend
            WHERE classid = CAST('pg_class' AS regclass)
                AND refclassid = CAST('pg_class' AS regclass)
                AND refobjsubid > 0
                AND deptype IN ('a', 'i')
            UNION ALL
            SELECT adrelid, adnum, refobjid, TRUE
            FROM pg_attrdef
                JOIN pg_depend
                    ON classid = CAST('pg_attrdef' AS regclass) AND objid = pg_attrdef.oid
            WHERE refclassid = CAST('pg_class' AS regclass)
        ) AS links
        GROUP BY of_table, of_column, sequence
    ) AS filled
    JOIN pg_sequence ON seqrelid = sequence
    JOIN pg_class ON pg_class.oid = seqrelid
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
    JOIN pg_attribute ON attrelid = of_table AND attnum = of_column
WHERE (CAST(:table AS text) IS NULL OR attrelid = to_regclass(:table))
    AND (CAST(:column AS text) IS NULL OR attname = :column)
    AND (CAST(:sequence AS text) IS NULL OR seqrelid = to_regclass(:sequence))
ORDER BY attrelid, attnum
