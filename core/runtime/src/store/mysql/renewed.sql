-- The update has locked the row. How many rows it changed depends on the driver, so this looks
-- again. If the update did not match, the row may have the token of an earlier call, and
-- LAST_INSERT_ID the time of another statement: hence the condition.
SELECT reserved_ms, LAST_INSERT_ID()
FROM snowmint_worker
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :epoch AND owner = :owner AND token = :next
    AND expires_ms > (
        SELECT least(
            waits_until_ms,
            CASE WHEN is_behind THEN waits_until_ms ELSE TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 + 2000 END
        )
        FROM snowmint_schema
    )
    AND (SELECT longest_reserve_ms FROM snowmint_schema WHERE incarnation = @snowmint_incarnation)
        >= :noted_ms
