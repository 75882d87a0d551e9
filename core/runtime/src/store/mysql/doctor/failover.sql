-- Returns the server's incarnation, whether it may not make tags, how many tags give no range, and
-- how long no worker ID is given.
SELECT
    @snowmint_incarnation,
    tag_incarnation <> @snowmint_incarnation,
    (SELECT count(*) FROM snowmint_segment AS tag WHERE tag.incarnation <> @snowmint_incarnation),
    greatest(
        0,
        waits_until_ms - TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
    )
FROM snowmint_schema
