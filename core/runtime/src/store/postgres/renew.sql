WITH clock(now) AS (SELECT CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint))
UPDATE snowmint_worker SET
    token = :next,
    reserved_ms = greatest(reserved_ms, now + CAST(:slab_ms AS bigint)),
    expires_ms = greatest(expires_ms, now + CAST(:slab_ms AS bigint))
FROM clock
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :epoch AND owner = :owner
    AND token IN (CAST(:token AS bytea), CAST(:next AS bytea))
RETURNING reserved_ms, now
