-- Returns the columns of a table, their types and its engine; no row if there is no table.
SELECT column_name, data_type, engine
FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = coalesce(:schema, database()) AND table_name = :table
