-- Raises tags by so many steps each, or by the length of the last range if that is longer. `raises`
-- counts up, so that fenced sources go on. Decimals, because integers would exceed 2^63. LIMIT
-- makes MySQL compute all sums before it changes rows.
UPDATE (
    SELECT tag AS which, CAST(
        least(
            9223372036854775807,
            next + CAST(:steps AS decimal(20)) * greatest(step * stride, next - previous)
        ) AS signed
    ) AS raised
    FROM snowmint_segment
    WHERE incarnation <> @snowmint_incarnation OR CAST(:all AS signed) = 1
    LIMIT 9223372036854775807
) AS each_one STRAIGHT_JOIN snowmint_segment ON tag = which
SET
    previous = previous + (raised - next),
    next = raised,
    raises = raises + 1,
    incarnation = @snowmint_incarnation,
    updated_ms = TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
