-- Before a transaction: a statement that waits for a lock gives up even if its client is gone.
SET SESSION
    innodb_lock_wait_timeout = :lock_s,
    SESSION lock_wait_timeout = :lock_s
