-- Which history of the database this is: the cluster, and its timeline, which a promotion changes.
-- A standby has none of its own yet.
SELECT CASE WHEN NOT pg_is_in_recovery()
    THEN system_identifier || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
END
FROM pg_control_system()
