-- Returns the row of a tag, the time, and FALSE: a file lacks no ranges. The transaction locks it.
SELECT
    tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by,
    CAST(round(unixepoch('subsec') * 1000) AS INTEGER),
    FALSE
FROM snowmint_segment
WHERE tag = :tag
