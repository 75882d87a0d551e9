-- Returns the columns of a table, their types, and whether the table and its partitions survive a
-- crash; no row if there is no table.
SELECT CAST(attname AS text), format_type(atttypid, NULL), relpersistence = 'p' AND relkind IN ('r', 'p') AND NOT EXISTS (
    SELECT * FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
    WHERE inhparent = attrelid AND part.relpersistence <> 'p'
)
FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
WHERE attrelid = to_regclass(:table) AND attnum > 0 AND NOT attisdropped
