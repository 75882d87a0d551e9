SELECT
    realm, worker_id, owner, epoch, reserved_ms, expires_ms,
    expires_ms > CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)
FROM snowmint_worker
WHERE realm = coalesce(CAST(:realm AS VARCHAR), realm)
ORDER BY realm, worker_id
