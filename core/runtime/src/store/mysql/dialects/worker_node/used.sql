-- Returns the newest number, and how many rows were added in the last 30 days.
SELECT coalesce(max(ID), 0), CAST(coalesce(sum(CREATED > now() - INTERVAL 30 DAY), 0) AS signed)
FROM {table}
