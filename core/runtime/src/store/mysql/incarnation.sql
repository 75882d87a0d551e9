-- Which history of the data this is, for the statements of this transaction: the server, whose number
-- replication has differ, and a hash of the database's name, as a copy beside it has another, and of
-- where the server last stopped following another, which each turn as a replica changes; while it
-- follows one, that changes all the time. MySQL's servers have names of their own.
SET @snowmint_incarnation =
    /*M!100000 concat_ws('-', @@GLOBAL.server_id, (
        SELECT CASE
            WHEN variable_value > 0 THEN 'follows'
            ELSE left(sha1(concat_ws(' ', database(), @@GLOBAL.gtid_slave_pos)), 8)
        END
        FROM information_schema.global_status
        WHERE variable_name = 'Slaves_running'
    )) */
    /*!50700 concat_ws('-', @@GLOBAL.server_uuid, left(sha1(database()), 8)) */
