-- A rollback journal instead of a write-ahead log. EXTRA makes a commit durable up to the directory
-- entry of the deleted journal. The file is then complete by itself whenever no transaction runs: a
-- copy or restore cannot lose acknowledged commits by leaving a -wal behind, a forked child
-- inherits no shared memory and no lock, and SQLite notices if the file is moved away. The price, a
-- few more syncs a transaction, is paid once a range or renewal, off the issuing path.
PRAGMA synchronous = EXTRA;
PRAGMA fullfsync = ON; -- macOS: to the platter, not to the drive's cache
PRAGMA cell_size_check = ON;
PRAGMA trusted_schema = OFF;
