-- Before a lease is given or renewed: whether this server took another's place. What that one
-- granted last may be lost here: time of at most the longest slab, by a clock that was within 2 s
-- of this one's. Until that is over no worker ID is given; longer where a longer slab comes up
-- meanwhile. An eighth more is noted than was asked for: what was lost may have asked for a little
-- more. Where a session is not told the incarnation, that one alone is noted: it is given what it
-- asks for only where nobody is told.
UPDATE snowmint_schema SET
    incarnation = coalesce(present, incarnation),
    longest_slab_ms = greatest(longest_slab_ms, slab_ms + slab_ms / 8),
    waits_until_ms = CASE
        WHEN incarnation IS NOT DISTINCT FROM coalesce(present, incarnation)
            AND waits_until_ms <= now
        THEN waits_until_ms
        ELSE greatest(
            waits_until_ms, now + greatest(longest_slab_ms, slab_ms + slab_ms / 8) + 2000
        )
    END
FROM (
    SELECT
        CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint),
        nullif(current_setting('snowmint.incarnation', true), ''),
        CAST(:slab_ms AS bigint)
) AS asked (now, present, slab_ms)
WHERE incarnation IS DISTINCT FROM coalesce(present, incarnation)
    OR longest_slab_ms < slab_ms + slab_ms / 8
