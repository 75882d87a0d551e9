-- Returns a row if the worker ID is held by another lease than this one or its renewal.
SELECT TRUE FROM snowmint_worker
WHERE realm = :realm AND worker_id = :worker_id
    AND NOT (
        epoch = :epoch AND owner = :owner
        AND token IN (CAST(:token AS bytea), CAST(:next AS bytea))
    )
