-- Returns the layout, where its IDs begin, and the time.
SELECT layout, layout_from_ms, CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)
FROM snowmint_schema
