-- Fails if it is there.
INSERT INTO snowmint_segment (tag, previous, next, ends, step, stride, updated_ms)
VALUES (:tag, :start, :start, :ends, :step, :stride, CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT))
