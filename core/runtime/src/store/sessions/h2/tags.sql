SELECT tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by
FROM snowmint_segment
WHERE tag = coalesce(CAST(:tag AS VARCHAR), tag)
ORDER BY tag
