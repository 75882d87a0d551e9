-- Returns the row of a tag, the time, and whether this server may lack ranges of the tag.
SELECT
    tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000,
    NOT incarnation <=> @snowmint_incarnation
FROM snowmint_segment
WHERE tag = :tag
FOR UPDATE
