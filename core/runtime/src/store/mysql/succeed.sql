-- Before a lease is given or renewed: whether this server took another's place. What that one granted
-- last may be lost here: time of at most the longest reservation, from the latest time on that its rows tell,
-- or from now, whichever is later, and 2 s by which clocks may differ. Until that is over no worker ID
-- is given; longer where a longer reservation comes up meanwhile. Rows that were written later than it is
-- here are of a clock that was ahead: which of the leases were over by it is not known, and none of
-- them is renewed. An eighth more is noted than was asked for: what was lost may have asked for a
-- little more. MySQL assigns from left to right: what is compared comes last. With a limit, as some
-- servers ask of changes without a key; by its key the row would be waited for.
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
WHERE incarnation <> @snowmint_incarnation
    OR longest_reserve_ms < CAST(:reserve_ms AS signed) + CAST(:reserve_ms AS signed) DIV 8
LIMIT 1
