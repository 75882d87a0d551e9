-- Whether this user sees a worker ID in another's hands than a lease's, or its renewal's.
SELECT TRUE FROM snowmint_worker
WHERE realm = :realm AND worker_id = :worker_id
    AND NOT (
        epoch = :epoch AND owner = :owner
        AND token IN (CAST(:token AS bytea), CAST(:next AS bytea))
    )
