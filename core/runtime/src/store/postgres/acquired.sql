-- What this very attempt was given, if its answer was lost: the token is the attempt's. A change, so
-- that this commit waits for standbys as well: the one before may have been seen here alone.
UPDATE snowmint_worker SET owner = owner
WHERE realm = :realm AND owner = :owner AND token = CAST(:token AS bytea)
RETURNING
    worker_id, epoch, floor_ms, reserved_ms,
    CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
