-- Has each tag give no range until an operator confirms this server. A copy goes on with its numbers.
-- All statements lock tags in the same order, so that two cannot deadlock.
UPDATE snowmint_segment SET incarnation = 'retired' ORDER BY tag LIMIT 9223372036854775807
