-- The type of a column; no row if there is none.
SELECT data_type
FROM information_schema.columns
WHERE
    table_schema = coalesce(:schema, database())
    AND table_name = :table
    AND column_name = :column
