-- Returns why no worker ID is free: the number of held IDs, the ID held longest and its owner, and
-- when one becomes free. After a failover also how long none is given, and the longest reservation.
WITH clock(now) AS (SELECT CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint))
SELECT
    count(*) FILTER (WHERE expires_ms > now),
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
    min(greatest(expires_ms, reserved_ms - CAST(:reach_ms AS bigint)) - now) FILTER (
        WHERE worker_id <= CAST(:max_worker_id AS bigint)
            AND worker_id IS DISTINCT FROM CAST(:avoid AS bigint)
    ),
    (SELECT waits_until_ms - now FROM snowmint_schema, clock WHERE waits_until_ms > now),
    (SELECT longest_reserve_ms FROM snowmint_schema)
FROM snowmint_worker, clock
WHERE realm = :realm
