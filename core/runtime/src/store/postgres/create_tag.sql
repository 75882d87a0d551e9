-- A row where the tag was made. A server that took the place of the one that made tags may lack some,
-- and would begin them anew: it makes none until an operator has vouched for it. A tag begins with its
-- first number that is not below the one that an operator named.
INSERT INTO snowmint_segment (tag, previous, next, ends, step, stride, updated_ms, incarnation)
SELECT
    :tag, first, first, :ends, :step, :stride,
    CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint),
    current_setting('snowmint.incarnation')
FROM snowmint_schema, LATERAL (
    SELECT CAST(
        least(
            9223372036854775807,
            :start + div(
                greatest(tags_from - CAST(:start AS numeric), 0) + :stride - 1, :stride
            ) * :stride
        ) AS bigint
    )
) AS beginning (first)
WHERE tag_incarnation LIKE current_setting('snowmint.trusted')
ON CONFLICT (tag) DO NOTHING
RETURNING TRUE
