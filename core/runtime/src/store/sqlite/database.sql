-- Returns the layout, where its IDs begin, and the time.
SELECT layout, from_ms, CAST(round(unixepoch('subsec') * 1000) AS INTEGER) FROM snowmint_schema
