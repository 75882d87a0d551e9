-- A number that no layout takes would be used up by each attempt.
SELECT CAST(coalesce(max(ID), 0) AS bigint) FROM {table}
