-- The last range has what is left below `ends`, and leaves the tag at the next number of its class. No
-- sum may pass 2^63.
SELECT previous, next, stride, step FROM FINAL TABLE (
    UPDATE snowmint_segment SET
        previous = next,
        next = CASE
            WHEN coalesce(CAST(:count AS BIGINT), step) <= (ends - next - 1) / stride
                THEN next + coalesce(CAST(:count AS BIGINT), step) * stride
            WHEN ends > 9223372036854775807 - stride THEN 9223372036854775807
            ELSE next + ((ends - next - 1) / stride + 1) * stride
        END,
        updated_ms = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)
    WHERE tag = :tag AND next < ends AND moved_to IS NULL
)
