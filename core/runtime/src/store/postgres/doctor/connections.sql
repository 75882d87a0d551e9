-- How many connections users may have, and how many there are. Each session of a database counts:
-- what kind others are of is not told to everybody.
SELECT
    CAST(
        CAST(current_setting('max_connections') AS bigint)
        - CAST(current_setting('superuser_reserved_connections') AS bigint)
    AS text),
    CAST((SELECT sum(numbackends) FROM pg_stat_database) AS text)
