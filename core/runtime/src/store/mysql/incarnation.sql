-- Which server this is: MariaDB's and MySQL's variables. Some releases have neither.
SELECT
    /*M!100000 concat(@@GLOBAL.server_uid, '-', @@GLOBAL.server_id) */
    /*!50700 @@GLOBAL.server_uuid */
