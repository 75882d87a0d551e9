WITH clock(now) AS (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
UPDATE snowmint_worker SET
    token = :next,
    reserved_ms = max(reserved_ms, (SELECT now FROM clock) + :reserve_ms),
    expires_ms = max(expires_ms, (SELECT now FROM clock) + :reserve_ms)
WHERE realm = :realm AND worker_id = :worker_id
    AND epoch = :epoch AND owner = :owner AND token IN (:token, :next)
RETURNING reserved_ms, CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
