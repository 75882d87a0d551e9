-- MySQL assigns from left to right. The last range has the numbers left below `ends`, and leaves
-- `next` at the following number of its stride. No sum may exceed 2^63. After a failover the server
-- may lack ranges, and gives none until an operator has raised the tag. Even a confirmed commit may
-- be missing on the replicas, because a wait for them that times out is confirmed like any other.
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
