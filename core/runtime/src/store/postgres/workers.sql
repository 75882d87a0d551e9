-- Returns the rows of a realm, one of them, or all rows, with the time.
SELECT
    realm, worker_id, owner, epoch, reserved_ms, expires_ms, floor_ms, encode(token, 'hex'),
    CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
FROM snowmint_worker
WHERE (CAST(:realm AS text) IS NULL OR realm = :realm)
    AND (CAST(:worker_id AS bigint) IS NULL OR worker_id = :worker_id)
ORDER BY realm, worker_id
