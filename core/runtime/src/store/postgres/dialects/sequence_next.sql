-- Draws as many values as are requested and left, up to a limit. A sequence that could repeat
-- numbers gives none. A server that could lose values in a crash gives none either, unless you
-- declare that you accept it, because no rollback takes values back. A sequence that was not called
-- since it was set gives one value, which tells how many are left.
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
                coalesce((seqmax - CASE WHEN last < 0 THEN 0 ELSE last END) / seqincrement, 1)
            ) AS calls
        FROM pg_sequence
            JOIN pg_class ON pg_class.oid = seqrelid,
            pg_sequence_last_value(CAST(seqrelid AS regclass)) AS last
        WHERE seqrelid = to_regclass(:name)
            AND seqincrement BETWEEN 1 AND 1073741824
            AND seqcache = 1
            AND NOT seqcycle
            AND relpersistence = 'p'
            AND (
                CAST(:is_checked AS bigint) = 0
                OR (
                    coalesce(current_setting('fsync', true), 'on') = 'on'
                    AND coalesce(current_setting('full_page_writes', true), 'on') = 'on'
                )
            )
    ) AS asked,
    generate_series(1, calls)
