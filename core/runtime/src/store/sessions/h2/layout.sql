-- Of which layout IDs are made, and where those begin.
SELECT layout, layout_from_ms FROM snowmint_schema
