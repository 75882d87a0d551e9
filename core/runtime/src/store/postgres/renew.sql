-- Renews no lease if the database's row has to change first.
-- After a failover, a lease that has expired here, or ends within 2 s, may have been given away in a
-- transaction that was lost. If the former server's clock was ahead, that holds for every lease.
-- A lease that lasts beyond the wait was not given away, unless an operator evicted it. All leases
-- that are taken after the wait last beyond it.
WITH clock(now) AS (SELECT CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint))
UPDATE snowmint_worker SET
    token = :next,
    updated_ms = now,
    reserved_ms = greatest(reserved_ms, now + CAST(:reserve_ms AS bigint)),
    expires_ms = greatest(expires_ms, now + CAST(:reserve_ms AS bigint))
FROM clock, snowmint_schema
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :epoch AND owner = :owner
    AND token IN (CAST(:token AS bytea), CAST(:next AS bytea))
    AND expires_ms > least(waits_until_ms, CASE WHEN NOT is_behind THEN now + 2000 END)
    AND incarnation = current_setting('snowmint.incarnation') AND longest_reserve_ms >= :noted_ms
RETURNING reserved_ms, now
