-- Which server this is, where it may lack ranges of a tag, or the tag; any may where a session is not
-- told which one it is.
SELECT coalesce(nullif(current_setting('snowmint.server', true), ''), 'unknown')
FROM snowmint_schema
    LEFT JOIN snowmint_segment ON tag = :tag
    CROSS JOIN LATERAL (
        SELECT CASE WHEN tag IS NULL THEN tag_incarnation ELSE snowmint_segment.incarnation END
    ) AS giver (noted)
WHERE coalesce(
    noted <> nullif(current_setting('snowmint.incarnation', true), ''),
    coalesce(current_setting('snowmint.incarnation', true), '') = ''
    AND coalesce(nullif(noted, 'untold'), ceiling_incarnation, snowmint_schema.incarnation)
        IS NOT NULL
)
