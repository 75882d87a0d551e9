-- Returns the newest number, and how many rows were added in the last 30 days.
SELECT
    CAST(coalesce(max(ID), 0) AS bigint),
    count(*) FILTER (WHERE CREATED > now() - INTERVAL '30 days')
FROM {table}
