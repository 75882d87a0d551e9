-- Returns the column if its default draws on no sequence that the catalogue knows.
SELECT CAST(CAST(attrelid AS regclass) AS text), quote_ident(attname)
FROM pg_attribute JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE
    attrelid = to_regclass(:table)
    AND attname = :column
    AND attgenerated = ''
    AND NOT EXISTS (
        SELECT 1 FROM pg_depend JOIN pg_sequence ON seqrelid = refobjid
        WHERE
            classid = CAST('pg_attrdef' AS regclass)
            AND objid = pg_attrdef.oid
            AND refclassid = CAST('pg_class' AS regclass)
    )
