-- The newest number, and how many rows a month adds.
SELECT coalesce(max(ID), 0), CAST(coalesce(sum(CREATED > now() - INTERVAL 30 DAY), 0) AS signed)
FROM {table}
