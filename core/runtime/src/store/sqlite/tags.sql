-- Returns rows of tags with the time, and the start of the last range; the condition follows.
SELECT
    tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by,
    CAST(round(unixepoch('subsec') * 1000) AS INTEGER), previous
FROM snowmint_segment
WHERE
