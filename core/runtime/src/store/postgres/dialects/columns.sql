-- What a table has, and of which types; no row if there is none.
SELECT CAST(attname AS text), format_type(atttypid, NULL)
FROM pg_attribute
WHERE attrelid = to_regclass(:table) AND attnum > 0 AND NOT attisdropped
