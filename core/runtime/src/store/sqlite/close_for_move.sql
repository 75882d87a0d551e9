-- Closing a tag twice changes nothing. A move named in `came_by` is over, and cannot close the tag
-- again.
UPDATE snowmint_segment SET
    moved_to = coalesce(moved_to, :to),
    left_by = coalesce(left_by, :name),
    updated_ms = CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
WHERE tag = :tag AND (moved_to IS NOT NULL OR instr(' ' || coalesce(came_by, '') || ' ', ' ' || :name || ' ') = 0)
