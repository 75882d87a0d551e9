-- After incarnation.sql: whether commits are durable, whether the server is read-only, and whether
-- it follows another server, whose changes would not know of the changes made here. These settings
-- are of the whole server, and may change at any time.
SELECT
    @@GLOBAL.innodb_flush_log_at_trx_commit,
    @@GLOBAL.log_bin,
    @@GLOBAL.sync_binlog,
    @@GLOBAL.read_only,
    @snowmint_incarnation LIKE '%-follows',
    @snowmint_incarnation
