-- Returns a column's type, and whether rows are hidden from this user; no row if it does not exist.
SELECT format_type(atttypid, NULL), row_security_active(attrelid)
FROM pg_attribute
WHERE
    attrelid = to_regclass(:table) AND attname = :column AND attnum > 0 AND NOT attisdropped
