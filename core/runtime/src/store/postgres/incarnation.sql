-- Which history of the database this is: the cluster, and its timeline, which a promotion changes.
SELECT system_identifier || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
FROM pg_control_system()
