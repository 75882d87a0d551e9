-- Those who acquire in one realm go one after the other: else most would pick the same worker ID,
-- and one would get it. Renewals wait for nobody.
SELECT pg_advisory_xact_lock(hashtextextended('snowmint_worker ' || CAST(:realm AS text), 0))
