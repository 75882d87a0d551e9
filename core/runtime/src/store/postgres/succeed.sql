-- Before a lease is given or renewed: whether this server took another's place. What that one granted
-- last may be lost here: time of at most the longest reservation, from the latest time on that its rows tell,
-- or from now, whichever is later, and 2 s by which clocks may differ. Until that is over no worker ID
-- is given; longer where a longer reservation comes up meanwhile. Rows that were written later than it is
-- here are of a clock that was ahead: which of the leases were over by it is not known, and none of
-- them is renewed. An eighth more is noted than was asked for: what was lost may have asked for a
-- little more. Rows are looked at where another's place was taken alone.
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
WHERE incarnation <> present OR longest_reserve_ms < reserve_ms + reserve_ms / 8
