-- Returns why no worker ID is free: the number of held IDs, the ID held longest and its owner, and
-- when one becomes free. After a failover also how long none is given, and the longest reservation.
WITH clock(now) AS (SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)
SELECT
    coalesce(sum(expires_ms > now), 0),
    (
        SELECT worker_id FROM snowmint_worker, clock
        WHERE realm = :realm AND expires_ms > now
        ORDER BY floor_ms, worker_id LIMIT 1
    ),
    (
        SELECT owner FROM snowmint_worker, clock
        WHERE realm = :realm AND expires_ms > now
        ORDER BY floor_ms, worker_id LIMIT 1
    ),
    min(
        CASE
            WHEN worker_id <= CAST(:max_worker_id AS signed)
                AND NOT (worker_id <=> CAST(:avoid AS signed))
            THEN greatest(expires_ms, reserved_ms - CAST(:reach_ms AS signed)) - now
        END
    ),
    (SELECT waits_until_ms - now FROM snowmint_schema, clock WHERE waits_until_ms > now),
    (SELECT longest_reserve_ms FROM snowmint_schema)
FROM snowmint_worker, clock
WHERE realm = :realm
