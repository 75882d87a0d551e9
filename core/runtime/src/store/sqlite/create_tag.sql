INSERT INTO snowmint_segment (tag, previous, next, step, stride, updated_ms)
VALUES (:tag, :start, :start, :step, :stride, CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
ON CONFLICT (tag) DO NOTHING
