-- For a new connection: numbers are never cut to fit, a table gets the engine that it asks for, all
-- tags can be changed at once, and the server ends a connection whose client is gone after 300 s.
SET SESSION
    sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO',
    SESSION time_zone = '+00:00',
    SESSION autocommit = 1,
    SESSION sql_safe_updates = 0,
    SESSION completion_type = 'NO_CHAIN',
    SESSION wait_timeout = 300
