-- Returns the type of a column, its declaration, whether it is AUTO_INCREMENT, and its default; no
-- row if there is no such column.
SELECT data_type, column_type, extra LIKE '%auto_increment%', column_default
FROM information_schema.columns
WHERE
    table_schema = coalesce(:schema, database())
    AND table_name = :table
    AND column_name = :column
