-- Names the history of the data, for the statements of this transaction. In MariaDB it is the
-- server's ID, which replication requires to be unique, and a hash. The hash is of the database's
-- name, because a copy beside it has another one, and of the replication position, which changes
-- with each turn as a replica. While the server follows another, the position changes all the time.
-- MySQL's servers have a UUID.
SET @snowmint_incarnation =
    /*M!100000 concat_ws('-', @@GLOBAL.server_id, (
        SELECT CASE
            WHEN variable_value > 0 THEN 'follows'
            ELSE left(sha2(concat_ws(' ', database(), @@GLOBAL.gtid_slave_pos), 256), 8)
        END
        FROM information_schema.global_status
        WHERE variable_name = 'Slaves_running'
    )) */
    /*!50700 concat_ws('-', @@GLOBAL.server_uuid, left(sha2(database(), 256), 8)) */
