-- Renews no lease if the database's row has to change first.
-- After a failover, a lease that has expired here, or ends within 2 s, may have been given away in a
-- transaction that was lost. If the former server's clock was ahead, that holds for every lease.
-- A lease that lasts beyond the wait was not given away, unless an operator evicted it. All leases
-- that are taken after the wait last beyond it. LAST_INSERT_ID keeps this statement's time for
-- renewed.sql.
UPDATE snowmint_worker SET
    token = :next,
    updated_ms = TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000,
    reserved_ms = greatest(
        reserved_ms,
        LAST_INSERT_ID(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000) + CAST(:reserve_ms AS signed)
    ),
    expires_ms = greatest(
        expires_ms,
        TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 + CAST(:reserve_ms AS signed)
    )
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :epoch AND owner = :owner AND token IN (:token, :next)
    AND expires_ms > (
        SELECT least(
            waits_until_ms,
            CASE WHEN is_behind THEN waits_until_ms ELSE TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 + 2000 END
        )
        FROM snowmint_schema
    )
    AND (SELECT longest_reserve_ms FROM snowmint_schema WHERE incarnation = @snowmint_incarnation)
        >= :noted_ms
