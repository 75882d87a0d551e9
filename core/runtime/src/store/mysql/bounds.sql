-- Before a transaction: who waits for a lock gives up, even where the client is gone.
SET SESSION
    innodb_lock_wait_timeout = :lock_s,
    SESSION lock_wait_timeout = :lock_s
