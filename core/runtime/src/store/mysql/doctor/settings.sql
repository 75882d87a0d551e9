-- Returns the settings for durability, isolation and replication, and how many replicas follow.
-- MySQL shows replicas to administrators only, so they are empty there.
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
