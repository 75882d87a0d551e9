SELECT count(*) FROM information_schema.tables
WHERE table_schema = CURRENT_SCHEMA
    AND lower(table_name) IN ('snowmint_worker', 'snowmint_segment')
