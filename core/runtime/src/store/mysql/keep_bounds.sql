-- Of a connection that is borrowed: what the bounds of a transaction change, for restore_bounds.
SET @snowmint_row_wait = @@SESSION.innodb_lock_wait_timeout,
    @snowmint_table_wait = @@SESSION.lock_wait_timeout
    /*M!100300 , @snowmint_idle = @@SESSION.idle_transaction_timeout */
