-- The last range has the numbers left below `ends`, and leaves `next` at the following number of
-- its stride. Numeric, because integers would exceed 2^63. After a failover the server may lack
-- ranges, and gives none until an operator has raised the tag.
UPDATE snowmint_segment SET
    previous = next,
    next = CAST(
        least(
            9223372036854775807,
            next + stride * least(
                CAST(coalesce(CAST(:count AS bigint), step) AS numeric),
                div(CAST(ends AS numeric) + stride - 1 - next, stride)
            )
        ) AS bigint
    ),
    updated_ms = CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint),
    incarnation = current_setting('snowmint.incarnation')
WHERE tag = :tag AND moved_to IS NULL AND ends > next
    AND incarnation LIKE current_setting('snowmint.trusted')
RETURNING previous, next, stride, step
