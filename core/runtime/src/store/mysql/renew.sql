-- What a server that took another's place has as expired, or nearly, may have been given away where
-- that is not known any more; of a server whose clock was ahead, all. What goes on past the wait has
-- not, unless an operator evicted it; all that is taken after it does. LAST_INSERT_ID keeps the time of this statement for the look at the row.
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
    AND (SELECT incarnation FROM snowmint_schema) = @snowmint_incarnation
