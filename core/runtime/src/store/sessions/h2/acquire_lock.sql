-- Who acquires waits for who was first, and sees what that one took. Of an empty realm the insertion
-- fails for all others.
SELECT worker_id FROM snowmint_worker
WHERE realm = :realm
    AND worker_id = (SELECT min(worker_id) FROM snowmint_worker WHERE realm = :realm)
FOR UPDATE
