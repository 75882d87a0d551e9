-- The comparison comes before the sum, which would pass 2^63.
UPDATE snowmint_segment SET
    previous = next,
    next = CASE
        WHEN next > 9223372036854775807 - coalesce(CAST(:count AS bigint), step) * stride
        THEN 9223372036854775807
        ELSE next + coalesce(CAST(:count AS bigint), step) * stride
    END,
    updated_ms = CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
WHERE tag = :tag AND next < 9223372036854775807
RETURNING previous, next, stride, step
