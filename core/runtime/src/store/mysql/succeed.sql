-- Runs before a lease is given or renewed, and notices if this server took another's place. The leases
-- that the former server gave last may be missing here. They last at most the longest reservation,
-- counted from now or the latest time in the rows, plus 2 s for clocks that differ. Until then no worker
-- ID is given; a longer reservation that is requested meanwhile extends the wait.
-- A row written more than 2 s in the future means that the former server's clock was ahead. It is unknown
-- which leases it took for expired, so none of them is renewed. The noted reservation is an eighth
-- longer than requested, because a lost request may have been a little longer.
-- MySQL assigns from left to right, so values that are compared are assigned last. succession.sql has
-- looked whether there is something to change.
UPDATE snowmint_schema SET
    is_behind = CASE
        WHEN incarnation = @snowmint_incarnation THEN is_behind
        ELSE coalesce(
            (SELECT max(updated_ms) FROM snowmint_worker) > TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 + 2000, 0
        )
    END,
    waits_until_ms = CASE
        WHEN incarnation <> @snowmint_incarnation
        THEN greatest(
            waits_until_ms,
            greatest(
                TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000,
                coalesce((SELECT max(greatest(updated_ms, expires_ms)) FROM snowmint_worker), 0)
            ) + greatest(
                longest_reserve_ms, CAST(:reserve_ms AS signed) + CAST(:reserve_ms AS signed) DIV 8
            ) + 2000
        )
        WHEN waits_until_ms > TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
        THEN waits_until_ms + greatest(
            0, CAST(:reserve_ms AS signed) + CAST(:reserve_ms AS signed) DIV 8 - longest_reserve_ms
        )
        ELSE waits_until_ms
    END,
    longest_reserve_ms = greatest(
        longest_reserve_ms, CAST(:reserve_ms AS signed) + CAST(:reserve_ms AS signed) DIV 8
    ),
    incarnation = @snowmint_incarnation
WHERE is_only = @snowmint_succeeds
