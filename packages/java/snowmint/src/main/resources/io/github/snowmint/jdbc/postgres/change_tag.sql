-- An operator who raises a tag confirms that no higher number is in use, so this server may give
-- ranges of it. `previous` moves along, so that the length of the last range stays known.
UPDATE snowmint_segment SET
    previous = previous + (coalesce(CAST(:next AS bigint), next) - next),
    next = coalesce(CAST(:next AS bigint), next),
    ends = coalesce(CAST(:ends AS bigint), ends),
    step = coalesce(CAST(:step AS bigint), step),
    raises = raises + CASE WHEN CAST(:next AS bigint) IS NULL THEN 0 ELSE 1 END,
    incarnation = CASE
        WHEN CAST(:next AS bigint) IS NULL THEN incarnation
        ELSE current_setting('snowmint.incarnation')
    END,
    updated_ms = CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
WHERE tag = :tag AND moved_to IS NULL
    AND coalesce(CAST(:next AS bigint), next) >= next
    AND coalesce(CAST(:next AS bigint), next) - stride < coalesce(CAST(:ends AS bigint), ends)
RETURNING tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by
