-- Fails if another transaction inserted the row first.
INSERT INTO snowmint_worker
    (realm, worker_id, owner, epoch, token, floor_ms, reserved_ms, expires_ms, updated_ms)
SELECT
    :realm, :worker_id, :owner, 1, :token, now,
    now + CAST(:reserve_ms AS signed), now + CAST(:reserve_ms AS signed), now
FROM (SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 AS now) AS clock
