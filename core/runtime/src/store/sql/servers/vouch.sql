-- An operator confirms that this server has all that was ever given, so it makes tags from now on.
-- New tags begin at `tags_from`. It never falls, because lost numbers would be given again, except
-- that 0 resets it.
UPDATE snowmint_schema SET
    tag_incarnation = :incarnation,
    tags_from = CASE
        WHEN :new_from = 0 THEN 0
        ELSE greatest(tags_from, coalesce(:new_from, 0))
    END
