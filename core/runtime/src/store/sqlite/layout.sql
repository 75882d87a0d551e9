-- Returns the layout and where its IDs begin.
SELECT layout, from_ms FROM snowmint_schema
