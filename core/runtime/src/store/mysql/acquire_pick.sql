-- Returns the preferred worker ID, and whether it has a row. The clock is constant within a
-- statement.
WITH
    clock(now) AS (SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000),
    known AS (
        SELECT worker_id, reserved_ms, expires_ms FROM snowmint_worker WHERE realm = :realm
    ),
    -- Candidates for the first unused worker ID from `:first` on, wrapping around: `:first`, 0, and
    -- the successors of used and avoided IDs.
    following(worker_id) AS (
        SELECT 0 UNION SELECT CAST(:first AS signed)
        UNION SELECT CAST(:avoid AS signed) + 1 UNION SELECT worker_id + 1 FROM known
    ),
    free(preference, reserved_ms, worker_id) AS (
        SELECT CASE WHEN reserved_ms <= now THEN 1 ELSE 3 END, reserved_ms, worker_id
        FROM known, clock
        WHERE expires_ms <= now AND reserved_ms <= now + CAST(:reach_ms AS signed)
        UNION ALL
        SELECT 2, 0, worker_id
        FROM following
        WHERE worker_id IS NOT NULL AND worker_id NOT IN (SELECT worker_id FROM known)
    )
SELECT worker_id, preference <> 2
FROM free, clock, snowmint_schema
WHERE waits_until_ms <= now
    AND incarnation = @snowmint_incarnation
    AND worker_id <= CAST(:max_worker_id AS signed)
    AND NOT (worker_id <=> CAST(:avoid AS signed))
ORDER BY preference, reserved_ms, worker_id < CAST(:first AS signed), worker_id
LIMIT 1
