UPDATE snowmint_segment SET
    previous = CASE
        WHEN raises = :raises AND next <> :next THEN next
        ELSE previous + (:next - next)
    END,
    next = :next,
    step = :step,
    updated_ms = :updated_ms,
    raises = :raises,
    ends = :ends,
    moved_to = :moved_to,
    left_by = :left_by,
    came_by = :came_by
WHERE tag = :tag
