-- Has each tag give no range until an operator confirms this server. A copy goes on with its numbers.
-- All statements lock tags in the same order, so that two cannot deadlock.
WITH locked AS (SELECT tag FROM snowmint_segment ORDER BY tag FOR UPDATE)
UPDATE snowmint_segment AS it SET incarnation = 'retired' FROM locked WHERE it.tag = locked.tag
