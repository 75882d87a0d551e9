INSERT INTO snowmint_segment (tag, previous, next, step, stride, updated_ms, incarnation)
VALUES (
    :tag, :start, :start, :step, :stride,
    CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint),
    CASE
        WHEN nullif(current_setting('snowmint.incarnation', true), '') IS NULL THEN 'untold'
        ELSE nullif(current_setting('snowmint.unconfirmed', true), '')
    END
)
ON CONFLICT (tag) DO NOTHING
