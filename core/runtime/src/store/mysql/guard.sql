-- What a commit is worth, whether there can be one, and whether another server may take this one's
-- place, or this one took another's. They are of the whole server, which may change them at any time.
SELECT
    @@GLOBAL.innodb_flush_log_at_trx_commit,
    @@GLOBAL.log_bin,
    @@GLOBAL.sync_binlog,
    @@GLOBAL.read_only,
    /*M!100000 @@GLOBAL.gtid_slave_pos <> '' OR (
        SELECT variable_value > 0 FROM information_schema.global_status
        WHERE variable_name = 'Slaves_connected'
    ) */
    /*!50700 0 */
