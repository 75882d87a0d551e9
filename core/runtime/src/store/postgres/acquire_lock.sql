-- Transactions that acquire in the same realm run one after the other. Otherwise most would pick
-- the same worker ID, and only one would get it. Renewals do not wait.
SELECT pg_advisory_xact_lock(hashtextextended('snowmint_worker ' || CAST(:realm AS text), 0))
