-- Returns the newest number, and how many rows were added in the last 30 days.
SELECT
    CAST(coalesce(max(ID), 0) AS {integer}),
    CAST(count(CASE WHEN CREATED > now() - INTERVAL '30' DAY THEN 1 END) AS {integer})
FROM {table}
