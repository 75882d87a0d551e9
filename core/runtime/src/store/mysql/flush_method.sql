-- By which the log is written to the disk. It stays as it is for as long as the server runs.
SELECT @@GLOBAL.innodb_flush_method
