-- Whoever vouches says that what this server has is all that was given, and from where on new tags
-- are to begin: it makes tags from now on. A lower number than an earlier one would begin again
-- what was lost before, and changes nothing; 0 ends it.
UPDATE snowmint_schema SET
    tag_incarnation = @snowmint_incarnation,
    tags_from = CASE
        WHEN CAST(:new_from AS signed) = 0 THEN 0
        ELSE greatest(tags_from, coalesce(CAST(:new_from AS signed), 0))
    END
LIMIT 1
