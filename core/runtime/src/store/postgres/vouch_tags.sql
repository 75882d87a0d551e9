-- The same of each tag whose ranges this server may lack, or of all, raised by so many of its steps;
-- each is as long as its last range, where that was longer. Counted as a raise, so that sources that
-- stopped go on. Locked in the order in which all lock several: none of two waits for the other, and
-- the second finds what the first did. A sum of integers would pass 2^63.
WITH raised(tag, next) AS (
    SELECT tag, CAST(
        least(
            9223372036854775807,
            next + CAST(:steps AS numeric) * greatest(step * stride, next - previous)
        ) AS bigint
    )
    FROM snowmint_segment
    WHERE incarnation NOT LIKE current_setting('snowmint.trusted')
        OR CAST(:all AS bigint) = 1
    ORDER BY tag
    FOR UPDATE
)
UPDATE snowmint_segment AS it SET
    previous = it.previous + (raised.next - it.next),
    next = raised.next,
    raises = raises + 1,
    incarnation = current_setting('snowmint.incarnation'),
    updated_ms = CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
FROM raised
WHERE it.tag = raised.tag
RETURNING
    it.tag, it.next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by
