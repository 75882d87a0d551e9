-- Which history of the tables this is, for the statements of this transaction: the cluster, the database
-- in it, and our table by its OID, as a copy of any of them is another one; and the timeline, which a
-- promotion changes. A standby has none of its own yet. Rows of the same are this server's own; where an
-- operator states that standbys confirm each commit, so are those of all timelines of these tables. Two
-- standbys that each took the place of one server have the same history by its name: for an operator a
-- server is told by when it was started as well.
SELECT
    nullif(set_config('snowmint.incarnation', incarnation, true), ''),
    set_config(
        'snowmint.trusted',
        CASE WHEN CAST(:is_synchronous AS bigint) = 1 THEN home || '-%' ELSE incarnation END,
        true
    ),
    set_config(
        'snowmint.server',
        incarnation || '.'
            || to_hex(CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS bigint)),
        true
    )
FROM (
    SELECT home, CASE WHEN NOT pg_is_in_recovery()
        THEN home || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    END
    FROM (
        SELECT concat_ws(
            '-', system_identifier, oid, CAST(to_regclass('snowmint_schema') AS oid)
        )
        FROM pg_control_system(), pg_database WHERE datname = current_database()
    ) AS place (home)
) AS server (home, incarnation)
