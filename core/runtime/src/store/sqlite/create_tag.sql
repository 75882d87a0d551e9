INSERT INTO snowmint_segment (tag, previous, next, ends, step, stride, updated_ms)
VALUES (:tag, :start, :start, :ends, :step, :stride, CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
ON CONFLICT (tag) DO NOTHING
