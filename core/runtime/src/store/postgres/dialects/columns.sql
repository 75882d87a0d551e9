-- What a table has, and of which types, and whether it lives through a crash; no row if there is
-- none.
SELECT CAST(attname AS text), format_type(atttypid, NULL), relpersistence = 'p' AND relkind IN ('r', 'p') AND NOT EXISTS (
    SELECT * FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
    WHERE inhparent = attrelid AND part.relpersistence <> 'p'
)
FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
WHERE attrelid = to_regclass(:table) AND attnum > 0 AND NOT attisdropped
