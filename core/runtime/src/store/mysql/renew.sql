-- LAST_INSERT_ID keeps the time of this statement for the look at the row.
UPDATE snowmint_worker SET
    token = :next,
    reserved_ms = greatest(
        reserved_ms,
        LAST_INSERT_ID(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000) + CAST(:slab_ms AS signed)
    ),
    expires_ms = greatest(
        expires_ms,
        TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 + CAST(:slab_ms AS signed)
    )
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :epoch AND owner = :owner AND token IN (:token, :next)
