-- Whose ranges of a tag this server may lack; any where a session is not told which server it is.
SELECT coalesce(snowmint_segment.incarnation, snowmint_schema.incarnation)
FROM snowmint_segment, snowmint_schema
WHERE tag = :tag AND coalesce(
    snowmint_segment.incarnation <> nullif(current_setting('snowmint.incarnation', true), ''),
    coalesce(current_setting('snowmint.incarnation', true), '') = ''
    AND coalesce(snowmint_segment.incarnation, snowmint_schema.incarnation) IS NOT NULL
)
