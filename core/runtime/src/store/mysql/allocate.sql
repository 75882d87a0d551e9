-- MySQL assigns from left to right. The comparison comes before the sum, which would pass 2^63. A
-- server that took another's place may lack ranges that no replica had: it gives none until an
-- operator has raised the tag. Whether replicas had one is never known: a wait for them that ends
-- without them is confirmed as any other.
UPDATE snowmint_segment SET
    previous = next,
    next = CASE
        WHEN next > 9223372036854775807 - coalesce(CAST(:count AS signed), step) * stride
        THEN 9223372036854775807
        ELSE next + coalesce(CAST(:count AS signed), step) * stride
    END,
    updated_ms = TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
WHERE tag = :tag AND next < 9223372036854775807
    AND incarnation = @snowmint_incarnation
