-- Returns the layout and the time. No lease is acquired until the transaction ends.
SELECT layout, layout_from_ms, CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
FROM snowmint_schema FOR UPDATE
