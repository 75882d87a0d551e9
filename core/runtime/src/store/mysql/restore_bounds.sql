SET SESSION
    innodb_lock_wait_timeout = @snowmint_row_wait,
    SESSION lock_wait_timeout = @snowmint_table_wait
    /*M!100300 , SESSION idle_transaction_timeout = @snowmint_idle */
