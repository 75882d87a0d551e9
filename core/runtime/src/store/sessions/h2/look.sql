-- In upper case: as H2 itself writes these names, where DATABASE_TO_UPPER=FALSE folds none.
SELECT count(*) FROM INFORMATION_SCHEMA.TABLES
WHERE TABLE_SCHEMA = CURRENT_SCHEMA
    AND lower(TABLE_NAME) IN ('snowmint_schema', 'snowmint_segment', 'snowmint_worker')
