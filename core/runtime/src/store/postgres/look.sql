-- What of our schema is there.
SELECT
    to_regclass('snowmint_worker') IS NOT NULL,
    to_regclass('snowmint_segment') IS NOT NULL,
    to_regclass('snowmint_schema') IS NOT NULL,
    (
        SELECT count(*)
        FROM pg_trigger
        WHERE tgenabled IN ('O', 'A') AND (
            tgrelid = to_regclass('snowmint_worker') AND tgname = 'snowmint_worker_rises'
            OR tgrelid = to_regclass('snowmint_segment') AND tgname = 'snowmint_segment_rises'
        )
    )
