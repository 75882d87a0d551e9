-- Takes the preferred worker ID. The clock is constant within a statement. If only the worker ID is
-- returned, its holder renewed the lease in the meantime: ask again.
WITH
    clock(now) AS (SELECT CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)),
    known AS (
        SELECT worker_id, reserved_ms, expires_ms FROM snowmint_worker WHERE realm = :realm
    ),
    -- Candidates for the first unused worker ID from `:first` on, wrapping around: `:first`, 0, and
    -- the successors of used and avoided IDs.
    following(worker_id) AS (
        SELECT 0 UNION SELECT CAST(:first AS bigint)
        UNION SELECT CAST(:avoid AS bigint) + 1 UNION SELECT worker_id + 1 FROM known
    ),
    free(preference, reserved_ms, worker_id) AS (
        SELECT CASE WHEN reserved_ms <= now THEN 1 ELSE 3 END, reserved_ms, worker_id
        FROM known, clock
        WHERE expires_ms <= now AND reserved_ms <= now + CAST(:reach_ms AS bigint)
        UNION ALL
        SELECT 2, 0, worker_id
        FROM following
        WHERE worker_id NOT IN (SELECT worker_id FROM known)
    ),
    picked(worker_id) AS (
        SELECT worker_id
        FROM free, clock, snowmint_schema
        WHERE waits_until_ms <= now
            AND incarnation = current_setting('snowmint.incarnation')
            AND worker_id <= CAST(:max_worker_id AS bigint)
            AND worker_id IS DISTINCT FROM CAST(:avoid AS bigint)
        ORDER BY preference, reserved_ms, worker_id < CAST(:first AS bigint), worker_id
        LIMIT 1
    ),
    taken AS (
        INSERT INTO snowmint_worker AS held
            (realm, worker_id, owner, epoch, token, floor_ms, reserved_ms, expires_ms, updated_ms)
        SELECT
            :realm, worker_id, :owner, 1, CAST(:token AS bytea), now,
            now + CAST(:reserve_ms AS bigint), now + CAST(:reserve_ms AS bigint), now
        FROM picked, clock
        ON CONFLICT (realm, worker_id) DO UPDATE SET
            owner = excluded.owner,
            epoch = held.epoch + 1,
            token = excluded.token,
            floor_ms = greatest(held.reserved_ms, excluded.floor_ms),
            reserved_ms = greatest(held.reserved_ms, excluded.reserved_ms),
            expires_ms = excluded.expires_ms,
            updated_ms = excluded.updated_ms
        WHERE held.expires_ms <= excluded.floor_ms
            AND held.reserved_ms <= excluded.floor_ms + CAST(:reach_ms AS bigint)
        RETURNING worker_id, epoch, floor_ms, reserved_ms
    )
SELECT worker_id, epoch, floor_ms, reserved_ms, now
FROM picked LEFT JOIN taken USING (worker_id), clock
