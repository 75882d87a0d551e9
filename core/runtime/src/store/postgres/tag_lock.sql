-- Returns the row of a tag, the time, and whether this server may lack ranges of the tag.
SELECT
    tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by,
    CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint),
    incarnation NOT LIKE current_setting('snowmint.trusted')
FROM snowmint_segment
WHERE tag = :tag
FOR UPDATE
