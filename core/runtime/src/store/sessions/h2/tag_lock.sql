-- The row of a tag, the time, and FALSE: there is no other server that may have given ranges.
SELECT
    tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by,
    CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT),
    FALSE
FROM snowmint_segment
WHERE tag = :tag
FOR UPDATE
