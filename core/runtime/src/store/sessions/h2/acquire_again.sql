-- Concerns no row if another transaction was first.
UPDATE snowmint_worker SET
    owner = :owner,
    epoch = epoch + 1,
    token = :token,
    floor_ms = greatest(reserved_ms, CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)),
    reserved_ms = greatest(reserved_ms, CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT) + :reserve_ms),
    expires_ms = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT) + :reserve_ms
WHERE realm = :realm AND worker_id = :worker_id
    AND expires_ms <= CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)
    AND reserved_ms <= CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT) + :reach_ms
