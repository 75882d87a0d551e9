-- Returns rows of tags with the time, the start of the last range, and whether this server may lack ranges
-- of the tag; the condition follows.
SELECT
    tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by,
    CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint), previous,
    incarnation NOT LIKE current_setting('snowmint.trusted'), incarnation
FROM snowmint_segment
WHERE
