-- The method that writes the log to the disk. It is fixed while the server runs.
SELECT @@GLOBAL.innodb_flush_method
