-- Returns the settings for durability and isolation, and how many standbys follow.
SELECT
    current_setting('fsync'),
    current_setting('full_page_writes'),
    current_setting('synchronous_commit'),
    current_setting('default_transaction_isolation'),
    current_setting('transaction_read_only'),
    CAST(pg_is_in_recovery() AS text),
    current_setting('synchronous_standby_names'),
    CAST((SELECT count(*) FROM pg_stat_replication) AS text)
