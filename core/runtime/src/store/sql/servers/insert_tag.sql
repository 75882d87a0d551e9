INSERT INTO snowmint_segment (tag, previous, next, ends, step, stride, updated_ms, incarnation)
VALUES (:tag, :next, :next, :ends, :step, :stride, :updated_ms, :incarnation)
