-- Returns the layout and the time. No lease is acquired until the transaction ends.
SELECT layout, layout_from_ms, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
FROM snowmint_schema FOR UPDATE
