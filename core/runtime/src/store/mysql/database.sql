-- Returns the database's row and the time, and whether this server may make tags. A copy cannot be told
-- from a server that took another's place.
SELECT
    layout, layout_from_ms,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000,
    incarnation, longest_reserve_ms, waits_until_ms, is_behind,
    TRUE,
    tags_from, tag_incarnation = @snowmint_incarnation
FROM snowmint_schema
