-- Done again, it is what it was, and is confirmed once more; a move that brought the tag elsewhere,
-- from where it came back, is over.
UPDATE snowmint_segment SET
    moved_to = coalesce(moved_to, :to),
    left_by = coalesce(left_by, :name),
    updated_ms = CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
WHERE tag = :tag AND (moved_to IS NOT NULL OR strpos(' ' || coalesce(came_by, '') || ' ', ' ' || :name || ' ') = 0)
