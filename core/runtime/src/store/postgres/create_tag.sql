INSERT INTO snowmint_segment (tag, previous, next, step, stride, updated_ms)
VALUES (:tag, :start, :start, :step, :stride, CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint))
ON CONFLICT (tag) DO NOTHING
