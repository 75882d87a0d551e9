-- An operator who raises a tag confirms that no higher number is in use, so this server may give
-- ranges of it. `previous` moves along, so that the length of the last range stays known.
UPDATE snowmint_segment SET
    previous = previous + (coalesce(CAST(:next AS signed), next) - next),
    next = coalesce(CAST(:next AS signed), next),
    ends = coalesce(CAST(:ends AS signed), ends),
    step = coalesce(CAST(:step AS signed), step),
    raises = raises + CASE WHEN CAST(:next AS signed) IS NULL THEN 0 ELSE 1 END,
    incarnation = CASE
        WHEN CAST(:next AS signed) IS NULL THEN incarnation
        ELSE @snowmint_incarnation
    END,
    updated_ms = TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
WHERE tag = :tag AND moved_to IS NULL
    AND coalesce(CAST(:next AS signed), next) >= next
    AND coalesce(CAST(:next AS signed), next) - stride < coalesce(CAST(:ends AS signed), ends)
