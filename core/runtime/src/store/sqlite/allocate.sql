-- The last range has the numbers left below `ends`, and leaves `next` at the following number of
-- its stride. No sum may exceed 2^63, because SQLite would make it a floating-point number.
UPDATE snowmint_segment SET
    previous = next,
    next = iif(
        coalesce(:count, step) <= (ends - next - 1) / stride,
        next + coalesce(:count, step) * stride,
        iif(
            ends > 9223372036854775807 - stride,
            9223372036854775807,
            next + ((ends - next - 1) / stride + 1) * stride
        )
    ),
    updated_ms = CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
WHERE tag = :tag AND next < ends AND moved_to IS NULL
RETURNING previous, next, stride, step
