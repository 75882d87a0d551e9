-- Raises each tag whose ranges this server may lack, or all tags, by so many steps, or by the
-- length of the last range if that is longer. `raises` counts up, so that fenced sources go on. All
-- statements lock tags in the same order, so that two cannot deadlock. Numeric, because integers
-- would exceed 2^63.
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
