-- Returns rows of tags with the time, the start of the last range, and whether this server may lack ranges
-- of the tag; the condition follows.
SELECT
    tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000, previous,
    NOT incarnation <=> @snowmint_incarnation, incarnation
FROM snowmint_segment
WHERE
