-- Returns a column's type, whether rows are hidden from this user, the table and column as SQL spells
-- them, and whether the column has a default; no row if it does not exist.
SELECT
    format_type(atttypid, NULL),
    row_security_active(attrelid),
    CAST(CAST(attrelid AS regclass) AS text),
    quote_ident(attname),
    atthasdef AND attgenerated = ''
FROM pg_attribute
WHERE
    attrelid = to_regclass(:table) AND attname = :column AND attnum > 0 AND NOT attisdropped
