-- What our statements do to each table, explained and not done: it asks for the same rights.

EXPLAIN SELECT worker_id FROM snowmint_worker WHERE FALSE

EXPLAIN INSERT INTO snowmint_worker () VALUES ()

EXPLAIN UPDATE snowmint_worker SET expires_ms = 0 WHERE FALSE

EXPLAIN SELECT tag FROM snowmint_segment WHERE FALSE

EXPLAIN INSERT INTO snowmint_segment () VALUES ()

EXPLAIN UPDATE snowmint_segment SET updated_ms = 0 WHERE FALSE

EXPLAIN SELECT version FROM snowmint_schema WHERE FALSE

EXPLAIN UPDATE snowmint_schema SET waits_until_ms = 0 WHERE FALSE
