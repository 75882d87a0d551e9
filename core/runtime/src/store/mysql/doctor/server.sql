-- Names the server, its database, the user, and the address or port of this connection.
SELECT
    @@version,
    @@version_comment,
    database(),
    current_user(),
    (SELECT host FROM information_schema.processlist WHERE id = connection_id())
