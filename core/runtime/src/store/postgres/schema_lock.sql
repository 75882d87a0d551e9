-- Processes that make the tables do so one after the other.
SELECT pg_advisory_xact_lock(hashtextextended('snowmint_schema', 0))
