-- Returns a row if the tag was made. After a failover it makes no tag until an operator has
-- confirmed the data: this server may lack tags, and would begin them anew. A tag begins with its
-- first number that is not below `tags_from`.
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
