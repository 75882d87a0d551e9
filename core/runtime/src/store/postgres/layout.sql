-- Returns the layout and where its IDs begin, and keeps both until the transaction ends.
SELECT layout, layout_from_ms FROM snowmint_schema FOR SHARE
