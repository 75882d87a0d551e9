-- Which server this is, where it may lack ranges of a tag, or the tag.
SELECT current_setting('snowmint.server')
FROM snowmint_schema LEFT JOIN snowmint_segment ON tag = :tag
WHERE coalesce(snowmint_segment.incarnation, tag_incarnation)
    NOT LIKE current_setting('snowmint.trusted')
