-- The last range has what is left below `ends`, and leaves the tag at the next number of its class. No
-- sum may pass 2^63: it would turn into a floating-point number.
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
