-- Keeps what bounds.sql changes on a borrowed connection, for restore_bounds.sql.
SET @snowmint_row_wait = @@SESSION.innodb_lock_wait_timeout,
    @snowmint_table_wait = @@SESSION.lock_wait_timeout
    /*M!100300 , @snowmint_idle = @@SESSION.idle_transaction_timeout */
