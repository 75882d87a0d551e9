-- Returns the rows of a realm, one of them, or all rows, with the time.
SELECT
    realm, worker_id, owner, epoch, reserved_ms, expires_ms, floor_ms, hex(token),
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
FROM snowmint_worker
WHERE (CAST(:realm AS char(255)) IS NULL OR realm = :realm)
    AND (CAST(:worker_id AS signed) IS NULL OR worker_id = :worker_id)
ORDER BY realm, worker_id
