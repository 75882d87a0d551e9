-- Done again, it is what it was.
UPDATE snowmint_segment SET
    moved_to = coalesce(moved_to, :to),
    left_by = coalesce(left_by, :name),
    updated_ms = CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
WHERE tag = :tag
