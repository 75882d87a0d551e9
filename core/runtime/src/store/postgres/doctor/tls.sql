-- Returns how the server secures this connection, or the connection of the pooler.
SELECT version || ' ' || cipher FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl
