-- A number that no layout takes would be used up by each attempt.
SELECT coalesce(max(ID), 0) FROM {table}
