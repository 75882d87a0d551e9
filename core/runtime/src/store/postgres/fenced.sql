-- Whether this server may lack ranges of a tag; any where a session is not told which server it is.
SELECT TRUE
FROM snowmint_segment, snowmint_schema
WHERE tag = :tag AND coalesce(
    snowmint_segment.incarnation <> nullif(current_setting('snowmint.incarnation', true), ''),
    coalesce(current_setting('snowmint.incarnation', true), '') = ''
    AND coalesce(nullif(snowmint_segment.incarnation, 'untold'), snowmint_schema.incarnation)
        IS NOT NULL
)
