-- Returns the database's row and the time. Also whether these are the tables that gave the leases, or a
-- copy that no operator has confirmed, and whether this server may make tags.
SELECT
    layout, layout_from_ms,
    CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint),
    incarnation, longest_reserve_ms, waits_until_ms, is_behind,
    tag_incarnation LIKE current_setting('snowmint.home')
        OR incarnation LIKE current_setting('snowmint.home'),
    tags_from, tag_incarnation LIKE current_setting('snowmint.trusted')
FROM snowmint_schema
