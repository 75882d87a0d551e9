-- Names the server, its database, the user, and the address or port of this connection.
SELECT
    split_part(version(), ' on ', 1),
    current_setting('server_version_num'),
    CAST(current_database() AS text),
    quote_ident(current_user),
    CAST(inet_client_port() AS text)
