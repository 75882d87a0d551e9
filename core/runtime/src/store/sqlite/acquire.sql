-- Takes the preferred worker ID. The clock is constant within a statement. It is rounded because
-- the seconds are a floating-point number, whose product may lie just below the millisecond.
WITH
    clock(now) AS (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER)),
    known AS (
        SELECT worker_id, reserved_ms, expires_ms FROM snowmint_worker WHERE realm = :realm
    ),
    -- Candidates for the first unused worker ID from `:first` on, wrapping around: `:first`, 0, and
    -- the successors of used and avoided IDs.
    following(worker_id) AS (
        SELECT 0 UNION SELECT :first UNION SELECT :avoid + 1 UNION SELECT worker_id + 1 FROM known
    ),
    free(preference, reserved_ms, worker_id) AS (
        SELECT iif(reserved_ms <= now, 1, 3), reserved_ms, worker_id
        FROM known, clock
        WHERE expires_ms <= now AND reserved_ms <= now + :reach_ms
        UNION ALL
        SELECT 2, 0, worker_id
        FROM following
        WHERE worker_id NOT IN (SELECT worker_id FROM known)
    )
INSERT INTO snowmint_worker
    (realm, worker_id, owner, epoch, token, floor_ms, reserved_ms, expires_ms)
SELECT :realm, worker_id, :owner, 1, :token, now, now + :reserve_ms, now + :reserve_ms
FROM free, clock
WHERE worker_id <= :max_worker_id AND worker_id IS NOT :avoid
ORDER BY preference, reserved_ms, worker_id < :first, worker_id
LIMIT 1
ON CONFLICT (realm, worker_id) DO UPDATE SET
    owner = excluded.owner,
    epoch = epoch + 1,
    token = excluded.token,
    floor_ms = max(reserved_ms, excluded.floor_ms),
    reserved_ms = max(reserved_ms, excluded.reserved_ms),
    expires_ms = excluded.expires_ms
RETURNING
    worker_id, epoch, floor_ms, reserved_ms,
    CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
