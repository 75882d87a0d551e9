SELECT
    tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by
FROM snowmint_segment
WHERE :tag IS NULL OR tag = :tag
ORDER BY tag
