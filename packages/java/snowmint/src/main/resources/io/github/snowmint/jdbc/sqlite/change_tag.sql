UPDATE snowmint_segment SET
    next = coalesce(:next, next),
    ends = coalesce(:ends, ends),
    step = coalesce(:step, step),
    raises = raises + (:next IS NOT NULL),
    updated_ms = CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
WHERE tag = :tag AND moved_to IS NULL
    AND coalesce(:next, next) >= next
    AND coalesce(:next, next) - stride < coalesce(:ends, ends)
RETURNING tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by
