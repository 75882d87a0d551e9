-- Before a transaction: who waits for a lock gives up, even where the client is gone. MariaDB also
-- ends a transaction whose client is gone, later than the client itself gives up.
SET @snowmint_began = UTC_TIMESTAMP(6),
    SESSION innodb_lock_wait_timeout = :lock_s,
    SESSION lock_wait_timeout = :lock_s
    /*M!100300 , SESSION idle_transaction_timeout = :idle_s */
