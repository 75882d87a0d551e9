-- Closing a tag twice changes nothing, but the commit is confirmed once more. A move named in
-- `came_by` is over, and cannot close the tag again.
UPDATE snowmint_segment SET
    moved_to = coalesce(moved_to, :to),
    left_by = coalesce(left_by, :name),
    updated_ms = CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
WHERE tag = :tag AND (moved_to IS NOT NULL OR strpos(' ' || coalesce(came_by, '') || ' ', ' ' || :name || ' ') = 0)
