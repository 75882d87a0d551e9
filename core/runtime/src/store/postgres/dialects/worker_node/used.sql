-- The newest number, and how many rows a month adds.
SELECT
    CAST(coalesce(max(ID), 0) AS bigint),
    count(*) FILTER (WHERE CREATED > now() - INTERVAL '30 days')
FROM {table}
