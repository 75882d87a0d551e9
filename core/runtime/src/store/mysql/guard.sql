-- What a commit is worth, and whether there can be one. They are of the whole server, which may
-- change them at any time.
SELECT
    @@GLOBAL.innodb_flush_log_at_trx_commit,
    @@GLOBAL.log_bin,
    @@GLOBAL.sync_binlog,
    @@GLOBAL.read_only
