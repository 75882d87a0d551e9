-- MySQL assigns from left to right. The last range has what is left below `ends`, and leaves the tag
-- at the next number of its class; no sum may pass 2^63. A server that took another's place may lack
-- ranges that no replica had: it gives none until an operator has raised the tag. Whether replicas
-- had one is never known: a wait for them that ends without them is confirmed as any other.
UPDATE snowmint_segment SET
    previous = next,
    next = CASE
        WHEN coalesce(CAST(:count AS signed), step) <= (ends - next - 1) DIV greatest(stride, 1)
        THEN next + coalesce(CAST(:count AS signed), step) * stride
        WHEN ends > 9223372036854775807 - stride THEN 9223372036854775807
        ELSE next + ((ends - next - 1) DIV greatest(stride, 1) + 1) * stride
    END,
    updated_ms = TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
WHERE tag = :tag AND next < ends AND moved_to IS NULL
    AND incarnation = @snowmint_incarnation
