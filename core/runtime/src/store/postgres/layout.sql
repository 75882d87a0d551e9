-- Of which layout IDs are made, and where those begin; so until the transaction ends.
SELECT layout, layout_from_ms FROM snowmint_schema FOR SHARE
