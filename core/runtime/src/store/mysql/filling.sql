-- The type of a column, whether it counts up by itself, and its default; no row if there is none.
SELECT column_type, extra LIKE '%auto_increment%', column_default
FROM information_schema.columns
WHERE
    table_schema = coalesce(:schema, database())
    AND table_name = :table
    AND column_name = :column
