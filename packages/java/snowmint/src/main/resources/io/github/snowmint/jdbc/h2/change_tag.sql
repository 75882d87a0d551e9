SELECT tag, next, step, stride, updated_ms, raises, ends, moved_to, left_by, came_by FROM FINAL TABLE (
    UPDATE snowmint_segment SET
        next = coalesce(CAST(:next AS BIGINT), next),
        ends = coalesce(CAST(:ends AS BIGINT), ends),
        step = coalesce(CAST(:step AS BIGINT), step),
        raises = CASE WHEN CAST(:next AS BIGINT) IS NULL THEN raises ELSE raises + 1 END,
        updated_ms = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)
    WHERE tag = :tag AND moved_to IS NULL
        AND coalesce(CAST(:next AS BIGINT), next) >= next
        AND coalesce(CAST(:next AS BIGINT), next) - stride < coalesce(CAST(:ends AS BIGINT), ends)
)
