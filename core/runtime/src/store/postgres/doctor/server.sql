-- Which server answers, as whom, and where it sees this connection come from.
SELECT
    split_part(version(), ' on ', 1),
    current_setting('server_version_num'),
    CAST(current_database() AS text),
    quote_ident(current_user),
    CAST(inet_client_port() AS text)
