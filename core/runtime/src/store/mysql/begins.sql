-- Notes when the transaction's time for waiting begins, after bounds.sql. MariaDB also ends a
-- transaction whose client is gone, but later than the client itself gives up.
SET @snowmint_began = UTC_TIMESTAMP(6)
    /*M!100300 , SESSION idle_transaction_timeout = 2 * @@SESSION.lock_wait_timeout */
