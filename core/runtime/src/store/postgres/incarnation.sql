-- Which history of the database this is, for the statements of this transaction: the cluster, and its
-- timeline, which a promotion changes. A standby has none of its own yet. Rows of the same are this
-- server's own; where an operator states that standbys confirm each commit, so are those of all
-- histories of the cluster. Two standbys that each took the place of one server have the same history
-- by its name: for an operator a server is told by when it was started as well.
SELECT
    nullif(set_config('snowmint.incarnation', incarnation, true), ''),
    set_config(
        'snowmint.trusted',
        CASE WHEN CAST(:is_synchronous AS bigint) = 1 THEN cluster || '-%' ELSE incarnation END,
        true
    ),
    set_config(
        'snowmint.server',
        incarnation || '.'
            || to_hex(CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS bigint)),
        true
    )
FROM (
    SELECT system_identifier, CASE WHEN NOT pg_is_in_recovery()
        THEN system_identifier || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    END
    FROM pg_control_system()
) AS server (cluster, incarnation)
