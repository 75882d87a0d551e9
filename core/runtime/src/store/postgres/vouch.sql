-- Whoever vouches says that what this server has is all that was given, and from where on new tags
-- are to begin: it makes tags from now on. A lower number than an earlier one would begin again
-- what was lost before, and changes nothing; 0 ends it. Which server that is. Nothing is noted of it where the
-- session is not told: it is refused nothing.
UPDATE snowmint_schema SET
    tag_incarnation = CASE
        WHEN coalesce(current_setting('snowmint.incarnation', true), '') = '' THEN tag_incarnation
        ELSE nullif(current_setting('snowmint.unconfirmed', true), '')
    END,
    tags_from = CASE
        WHEN CAST(:new_from AS bigint) = 0 THEN 0
        ELSE greatest(tags_from, CAST(:new_from AS bigint))
    END
RETURNING coalesce(current_setting('snowmint.server', true), '')
