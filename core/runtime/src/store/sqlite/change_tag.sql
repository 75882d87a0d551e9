UPDATE snowmint_segment SET
    next = coalesce(:next, next),
    step = coalesce(:step, step),
    raises = raises + (:next IS NOT NULL),
    updated_ms = CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
WHERE tag = :tag AND coalesce(:next, next) >= next
RETURNING tag, next, step, stride, updated_ms, raises
