-- Returns the server's incarnation, whether it makes tags, and each tag that gives no range, or NULL.
SELECT @snowmint_incarnation, tag_incarnation = @snowmint_incarnation, tag
FROM snowmint_schema LEFT JOIN snowmint_segment
    ON snowmint_segment.incarnation <> @snowmint_incarnation
ORDER BY tag
