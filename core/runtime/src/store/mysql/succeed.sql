-- Before a lease is given or renewed: whether this server took another's place. What that one
-- granted last may be lost here: time of at most the longest slab, by a clock that was within 2 s
-- of this one's. Until that is over no worker ID is given; longer where a longer slab comes up
-- meanwhile. An eighth more is noted than was asked for: what was lost may have asked for a little
-- more. MySQL assigns from left to right: what is compared comes last. With a limit, as some servers
-- ask of changes without a key; by its key the row would be waited for.
UPDATE snowmint_schema SET
    waits_until_ms = CASE
        WHEN incarnation = @snowmint_incarnation
            AND waits_until_ms <= TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
        THEN waits_until_ms
        ELSE greatest(
            waits_until_ms,
            TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 + 2000 + greatest(
                longest_slab_ms, CAST(:slab_ms AS signed) + CAST(:slab_ms AS signed) DIV 8
            )
        )
    END,
    longest_slab_ms = greatest(
        longest_slab_ms, CAST(:slab_ms AS signed) + CAST(:slab_ms AS signed) DIV 8
    ),
    incarnation = @snowmint_incarnation
WHERE incarnation <> @snowmint_incarnation
    OR longest_slab_ms < CAST(:slab_ms AS signed) + CAST(:slab_ms AS signed) DIV 8
LIMIT 1
