-- Before each further statement of a transaction: what is left of the time that all of them may
-- wait for locks. 0 would be for ever.
SELECT set_config(
    'lock_timeout',
    CAST(greatest(
        1,
        CAST(:lock_ms AS bigint)
            - CAST(extract(epoch FROM clock_timestamp() - transaction_timestamp()) * 1000 AS bigint)
    ) AS text),
    true
)
