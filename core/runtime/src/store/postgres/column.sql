-- The type of a column; no row if there is none.
SELECT format_type(atttypid, NULL)
FROM pg_attribute
WHERE
    attrelid = to_regclass(:table) AND attname = :column AND attnum > 0 AND NOT attisdropped
