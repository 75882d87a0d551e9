SELECT tag, next, step, stride, updated_ms, raises, ends
FROM snowmint_segment
WHERE :tag IS NULL OR tag = :tag
ORDER BY tag
