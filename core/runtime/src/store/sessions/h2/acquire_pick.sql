-- The preferred worker ID, and whether it has a row. The first unused one from `:first` on, going
-- round, is that one, 0, or follows one that is used or to be avoided.
SELECT worker_id, preference <> 2 FROM (
    SELECT CASE WHEN reserved_ms <= CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT) THEN 1 ELSE 3 END AS preference, reserved_ms, worker_id
    FROM snowmint_worker
    WHERE realm = :realm
        AND expires_ms <= CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)
        AND reserved_ms <= CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT) + :reach_ms
    UNION ALL
    SELECT 2, 0, worker_id FROM (
        SELECT CAST(0 AS BIGINT) AS worker_id
        UNION SELECT CAST(:first AS BIGINT)
        UNION SELECT CAST(:avoid AS BIGINT) + 1
        UNION SELECT worker_id + 1 FROM snowmint_worker WHERE realm = :realm
    ) AS following
    WHERE worker_id IS NOT NULL
        AND worker_id NOT IN (SELECT worker_id FROM snowmint_worker WHERE realm = :realm)
) AS free
WHERE worker_id <= :max_worker_id AND worker_id IS DISTINCT FROM CAST(:avoid AS BIGINT)
ORDER BY preference, reserved_ms, worker_id < CAST(:first AS BIGINT), worker_id
FETCH FIRST ROW ONLY
