-- Fails if another transaction was first.
INSERT INTO snowmint_worker
    (realm, worker_id, owner, epoch, token, floor_ms, reserved_ms, expires_ms)
VALUES (
    :realm, :worker_id, :owner, 1, :token,
    CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT),
    CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT) + :reserve_ms,
    CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT) + :reserve_ms
)
