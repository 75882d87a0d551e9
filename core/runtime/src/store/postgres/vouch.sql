-- Whoever vouches says that what this server has is all that was given, and from where on new tags
-- are to begin: it makes tags from now on. Which server that is. Nothing is noted of it where the
-- session is not told: it is refused nothing.
UPDATE snowmint_schema SET
    tag_incarnation = CASE
        WHEN coalesce(current_setting('snowmint.incarnation', true), '') = '' THEN tag_incarnation
        ELSE nullif(current_setting('snowmint.unconfirmed', true), '')
    END,
    tags_from = coalesce(CAST(:new_from AS bigint), tags_from)
RETURNING coalesce(current_setting('snowmint.incarnation', true), '')
