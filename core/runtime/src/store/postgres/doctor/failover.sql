-- Whether this server took another's place, by its incarnation: whether tags are made, how many give
-- no range, and how long no worker ID is given.
SELECT
    CAST(coalesce(tag_incarnation <> :present, FALSE) AS text),
    CAST((SELECT count(*) FROM snowmint_segment AS tag WHERE tag.incarnation <> :present) AS text),
    CAST(
        greatest(
            0,
            waits_until_ms
                - CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
        )
    AS text)
FROM snowmint_schema
