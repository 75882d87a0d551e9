-- Fails if the tag is there.
INSERT INTO snowmint_segment (tag, previous, next, step, stride, updated_ms)
VALUES (:tag, :start, :start, :step, :stride, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)
