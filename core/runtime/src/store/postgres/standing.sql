-- Returns the server's name, whether it makes tags, and each tag that gives no range, or NULL.
SELECT
    current_setting('snowmint.server'),
    tag_incarnation LIKE current_setting('snowmint.trusted'),
    tag
FROM snowmint_schema LEFT JOIN snowmint_segment
    ON snowmint_segment.incarnation NOT LIKE current_setting('snowmint.trusted')
ORDER BY tag
