-- Runs before a lease is given or renewed, and notices if this server took another's place. The leases
-- that the former server gave last may be missing here. They last at most the longest reservation,
-- counted from now or the latest time in the rows, plus 2 s for clocks that differ. Until then no worker
-- ID is given; a longer reservation that is requested meanwhile extends the wait.
-- A row written more than 2 s in the future means that the former server's clock was ahead. It is unknown
-- which leases it took for expired, so none of them is renewed. The noted reservation is an eighth
-- longer than requested, because a lost request may have been a little longer.
-- The workers' rows are read only after a failover.
-- A copy, whose tables are others than those that gave the leases, changes nothing here until an operator
-- has confirmed it: the original may still give worker IDs. So the copy gives and renews none.
UPDATE snowmint_schema SET
    incarnation = present,
    longest_reserve_ms = greatest(longest_reserve_ms, reserve_ms + reserve_ms / 8),
    is_behind = CASE
        WHEN incarnation = present THEN is_behind
        ELSE coalesce((SELECT max(updated_ms) FROM snowmint_worker) > now + 2000, FALSE)
    END,
    waits_until_ms = CASE
        WHEN incarnation <> present
        THEN greatest(
            waits_until_ms,
            greatest(now, (SELECT max(greatest(updated_ms, expires_ms)) FROM snowmint_worker))
                + greatest(longest_reserve_ms, reserve_ms + reserve_ms / 8) + 2000
        )
        WHEN waits_until_ms > now
        THEN waits_until_ms + greatest(0, reserve_ms + reserve_ms / 8 - longest_reserve_ms)
        ELSE waits_until_ms
    END
FROM (
    SELECT
        CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint),
        current_setting('snowmint.incarnation'),
        CAST(:reserve_ms AS bigint)
) AS asked (now, present, reserve_ms)
WHERE (
        tag_incarnation LIKE current_setting('snowmint.home')
        OR incarnation LIKE current_setting('snowmint.home')
    )
    AND (incarnation <> present OR longest_reserve_ms < reserve_ms + reserve_ms / 8)
