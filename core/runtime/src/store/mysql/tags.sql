SELECT tag, next, step, stride, updated_ms, raises, ends
FROM snowmint_segment
WHERE CAST(:tag AS char(64)) IS NULL OR tag = :tag
ORDER BY tag
