-- Whether this server took another's place, by its incarnation: whether tags are made, how many give
-- no range, and how long no worker ID is given.
SELECT
    @snowmint_incarnation,
    tag_incarnation <> @snowmint_incarnation,
    (SELECT count(*) FROM snowmint_segment AS tag WHERE tag.incarnation <> @snowmint_incarnation),
    greatest(
        0,
        waits_until_ms - TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
    )
FROM snowmint_schema
