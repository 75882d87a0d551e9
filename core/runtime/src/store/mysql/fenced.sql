-- Names the server if it may lack ranges of the tag, or may lack the tag itself.
SELECT @snowmint_incarnation
FROM snowmint_schema LEFT JOIN snowmint_segment ON tag = :tag
WHERE coalesce(snowmint_segment.incarnation, tag_incarnation) <> @snowmint_incarnation
