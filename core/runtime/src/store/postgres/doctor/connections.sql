-- Returns how many connections users may have, and how many there are. It counts all sessions of
-- databases, because not every user sees which kind the others are.
SELECT
    CAST(
        CAST(current_setting('max_connections') AS bigint)
        - CAST(current_setting('superuser_reserved_connections') AS bigint)
    AS text),
    CAST((SELECT sum(numbackends) FROM pg_stat_database) AS text)
