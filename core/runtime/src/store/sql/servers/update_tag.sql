UPDATE snowmint_segment SET
    previous = :previous, next = :next, step = :step, updated_ms = :updated_ms, raises = :raises,
    ends = :ends, moved_to = :moved_to, left_by = :left_by, came_by = :came_by,
    incarnation = :incarnation
WHERE tag = :tag
