-- Returns which of our tables exist, and their engines.
SELECT table_name, engine
FROM information_schema.tables
WHERE table_schema = database()
    AND table_name IN ('snowmint_worker', 'snowmint_segment', 'snowmint_schema')
ORDER BY table_name
