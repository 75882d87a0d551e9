SELECT reserved_ms, CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT) FROM FINAL TABLE (
    UPDATE snowmint_worker SET
        token = :next,
        reserved_ms = greatest(reserved_ms, CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT) + :reserve_ms),
        expires_ms = greatest(expires_ms, CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT) + :reserve_ms)
    WHERE realm = :realm AND worker_id = :worker_id
        AND epoch = :epoch AND owner = :owner AND token IN (:token, :next)
)
