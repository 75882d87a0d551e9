-- Closing a tag twice changes nothing. A move named in `came_by` is over, and cannot close the tag
-- again.
UPDATE snowmint_segment SET
    moved_to = coalesce(moved_to, :to),
    left_by = coalesce(left_by, :name),
    updated_ms = TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
WHERE tag = :tag AND (moved_to IS NOT NULL OR locate(concat(' ', :name, ' '), concat(' ', coalesce(came_by, ''), ' ')) = 0)
