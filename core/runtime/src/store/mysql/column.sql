-- Returns the type of a column; no row if there is no such column.
SELECT data_type
FROM information_schema.columns
WHERE
    table_schema = coalesce(:schema, database())
    AND table_name = :table
    AND column_name = :column
