-- Explains our kinds of statements on each table: EXPLAIN needs the same rights as running them.

EXPLAIN SELECT worker_id FROM snowmint_worker WHERE FALSE

EXPLAIN INSERT INTO snowmint_worker () VALUES ()

EXPLAIN UPDATE snowmint_worker SET expires_ms = 0 WHERE FALSE

EXPLAIN SELECT tag FROM snowmint_segment WHERE FALSE

EXPLAIN INSERT INTO snowmint_segment () VALUES ()

EXPLAIN UPDATE snowmint_segment SET updated_ms = 0 WHERE FALSE

EXPLAIN SELECT version FROM snowmint_schema WHERE FALSE

EXPLAIN UPDATE snowmint_schema SET waits_until_ms = 0 WHERE FALSE
