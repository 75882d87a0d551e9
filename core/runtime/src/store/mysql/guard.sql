-- After the incarnation: what a commit is worth, whether there can be one, and whether this server
-- follows another, whose changes and those made here would not know of each other. They are of the
-- whole server, which may change them at any time.
SELECT
    @@GLOBAL.innodb_flush_log_at_trx_commit,
    @@GLOBAL.log_bin,
    @@GLOBAL.sync_binlog,
    @@GLOBAL.read_only,
    @snowmint_incarnation LIKE '%-follows',
    @snowmint_incarnation
