-- Whoever vouches says that what this server has is all that was given, and from where on new tags
-- are to begin: it makes tags from now on. A lower number than an earlier one would begin again
-- what was lost before, and changes nothing; 0 ends it.
UPDATE snowmint_schema SET
    tag_incarnation = current_setting('snowmint.incarnation'),
    tags_from = CASE
        WHEN CAST(:new_from AS bigint) = 0 THEN 0
        ELSE greatest(tags_from, CAST(:new_from AS bigint))
    END
RETURNING current_setting('snowmint.server')
