-- Fails if the tag exists. After a failover it makes no tag until an operator has confirmed the
-- data: this server may lack tags, and would begin them anew. A tag begins with its first number
-- that is not below `tags_from`. No sum may exceed 2^63.
INSERT INTO snowmint_segment (tag, previous, next, ends, step, stride, updated_ms, incarnation)
SELECT
    :tag, first, first, :ends, :step, :stride,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000,
    @snowmint_incarnation
FROM (
    SELECT CAST(
        least(
            9223372036854775807,
            :start + :stride * CAST(
                (greatest(CAST(tags_from AS decimal(20)) - :start, 0) + :stride - 1) DIV :stride
                AS decimal(20)
            )
        ) AS signed
    ) AS first
    FROM snowmint_schema
    WHERE tag_incarnation = @snowmint_incarnation
) AS beginning
