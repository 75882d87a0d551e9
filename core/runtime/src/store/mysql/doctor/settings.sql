-- What commits are worth, how transactions are kept apart and told to others, and who follows: of
-- MySQL that is told to administrators alone.
SELECT
    @@GLOBAL.innodb_flush_log_at_trx_commit,
    @@GLOBAL.log_bin,
    @@GLOBAL.sync_binlog,
    @@GLOBAL.binlog_format,
    @@GLOBAL.read_only,
    /*M!100000 @@SESSION.tx_isolation, */
    /*!50700 @@SESSION.transaction_isolation, */
    /*M!100000 @@GLOBAL.gtid_slave_pos, (
        SELECT variable_value FROM information_schema.global_status
        WHERE variable_name = 'Slaves_connected'
    ) */
    /*!50700 '', '' */
