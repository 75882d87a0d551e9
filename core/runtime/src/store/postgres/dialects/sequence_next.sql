-- As many values as are asked for and left, up to a bound. A sequence that could repeat numbers
-- gives none.
SELECT nextval(CAST(seqrelid AS regclass)), seqincrement, seqstart
FROM
    (
        SELECT
            seqrelid, seqincrement, seqstart,
            least(
                CAST(:values_max AS bigint),
                greatest(
                    1,
                    (coalesce(CAST(:count AS bigint), 1) + seqincrement - 1) / seqincrement
                ),
                (seqmax - greatest(coalesce(pg_sequence_last_value(CAST(seqrelid AS regclass)), 0), 0))
                    / seqincrement
            ) AS calls
        FROM pg_sequence JOIN pg_class ON pg_class.oid = seqrelid
        WHERE seqrelid = to_regclass(:name)
            AND seqincrement BETWEEN 1 AND 1073741824
            AND seqcache = 1
            AND NOT seqcycle
            AND relpersistence = 'p'
    ) AS asked,
    generate_series(1, calls)
