-- Returns the rows of a realm, one of them, or all rows, with the time.
SELECT
    realm, worker_id, owner, epoch, reserved_ms, expires_ms, floor_ms, RAWTOHEX(token),
    CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)
FROM snowmint_worker
WHERE realm = coalesce(CAST(:realm AS VARCHAR), realm)
    AND worker_id = coalesce(CAST(:worker_id AS BIGINT), worker_id)
ORDER BY realm, worker_id
