-- What a table has, and of which types, and by which engine it is kept; no row if there is none.
SELECT column_name, data_type, engine
FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = coalesce(:schema, database()) AND table_name = :table
