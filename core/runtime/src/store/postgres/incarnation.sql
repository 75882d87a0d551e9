-- Which history of the database this is: the cluster, and its timeline, which a promotion changes.
-- A standby has none of its own yet. It is a setting of this transaction, for its statements; so is
-- the same again where no standby confirms what is committed.
SELECT
    nullif(set_config('snowmint.incarnation', incarnation, true), ''),
    set_config(
        'snowmint.unconfirmed',
        CASE WHEN current_setting('synchronous_standby_names') = '' THEN incarnation END,
        true
    )
FROM (
    SELECT CASE WHEN NOT pg_is_in_recovery()
        THEN system_identifier || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    END
    FROM pg_control_system()
) AS server (incarnation)
