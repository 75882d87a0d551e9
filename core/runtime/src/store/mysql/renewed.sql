-- The row is locked by the update before: how many rows it changed depends on the driver. One that
-- was not renewed may have the token of an earlier call, and the time is not of this one then.
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
