-- How the server secures this connection, or the pooler's.
SELECT version || ' ' || cipher FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl
