-- Names the server if it may lack ranges of the tag, or may lack the tag itself.
SELECT current_setting('snowmint.server')
FROM snowmint_schema LEFT JOIN snowmint_segment ON tag = :tag
WHERE coalesce(snowmint_segment.incarnation, tag_incarnation)
    NOT LIKE current_setting('snowmint.trusted')
