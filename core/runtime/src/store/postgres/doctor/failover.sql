-- Returns the server's name, whether it may not make tags, how many tags give no range, and how
-- long no worker ID is given.
SELECT
    current_setting('snowmint.server'),
    CAST(tag_incarnation NOT LIKE current_setting('snowmint.trusted') AS text),
    CAST(
        (
            SELECT count(*) FROM snowmint_segment AS tag
            WHERE tag.incarnation NOT LIKE current_setting('snowmint.trusted')
        )
    AS text),
    CAST(
        greatest(
            0,
            waits_until_ms
                - CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
        )
    AS text)
FROM snowmint_schema
