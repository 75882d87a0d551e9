-- Before each further statement of a transaction: the rest of the time that all of them together
-- may wait for locks, at least 1 ms, because 0 means no limit.
SELECT set_config(
    'lock_timeout',
    CAST(greatest(
        1,
        CAST(:lock_ms AS bigint)
            - CAST(extract(epoch FROM clock_timestamp() - transaction_timestamp()) * 1000 AS bigint)
    ) AS text),
    true
)
