-- The row is locked by the update before: how many rows it changed depends on the driver.
SELECT reserved_ms, LAST_INSERT_ID()
FROM snowmint_worker
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :epoch AND owner = :owner AND token = :next
