-- `previous` becomes the start of a range that was taken, and moves along when an operator raises
-- `next`, so that the length of the last range stays known. Either is this server's word. MySQL
-- assigns from left to right.
UPDATE snowmint_segment SET
    previous = CASE
        WHEN raises = :raises AND next <> :next THEN next
        ELSE previous + (:next - next)
    END,
    incarnation = CASE
        WHEN raises = :raises AND next = :next THEN incarnation
        ELSE @snowmint_incarnation
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
