-- Why no worker ID is free: how many are held, the one held longest, when one could be taken.
SELECT
    count(*) FILTER (WHERE expires_ms > CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)),
    (
        SELECT worker_id FROM snowmint_worker
        WHERE realm = :realm AND expires_ms > CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)
        ORDER BY floor_ms, worker_id FETCH FIRST ROW ONLY
    ),
    (
        SELECT owner FROM snowmint_worker
        WHERE realm = :realm AND expires_ms > CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)
        ORDER BY floor_ms, worker_id FETCH FIRST ROW ONLY
    ),
    min(greatest(expires_ms, reserved_ms - :reach_ms) - CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT))
        FILTER (WHERE worker_id <= :max_worker_id AND worker_id IS DISTINCT FROM CAST(:avoid AS BIGINT))
FROM snowmint_worker
WHERE realm = :realm
