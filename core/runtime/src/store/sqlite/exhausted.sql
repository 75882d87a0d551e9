-- Returns why no worker ID is free: the number of held IDs, the ID held longest and its owner, and
-- when one becomes free.
WITH clock(now) AS (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
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
    min(max(expires_ms, reserved_ms - :reach_ms) - now)
        FILTER (WHERE worker_id <= :max_worker_id AND worker_id IS NOT :avoid)
FROM snowmint_worker, clock
WHERE realm = :realm
