-- The comparison comes before the sum, which would turn into a floating-point number past 2^63.
UPDATE snowmint_segment SET
    previous = next,
    next = iif(
        next > 9223372036854775807 - coalesce(:count, step) * stride,
        9223372036854775807,
        next + coalesce(:count, step) * stride
    ),
    updated_ms = CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
WHERE tag = :tag AND next < 9223372036854775807
RETURNING previous, next, stride, step
