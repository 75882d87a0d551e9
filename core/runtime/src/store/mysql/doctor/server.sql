-- Which server answers, as whom, and where it sees this connection come from.
SELECT
    @@version,
    @@version_comment,
    database(),
    current_user(),
    (SELECT host FROM information_schema.processlist WHERE id = connection_id())
