-- Names the history of the tables, for the statements of this transaction. The name has the cluster, the
-- database and the OID of our table, because a copy of any of them is another history, and the timeline,
-- which a promotion changes. A standby has no timeline of its own yet, so it has no name.
-- snowmint.trusted is the LIKE pattern of the names whose rows this server trusts. With declared
-- synchronous replication these are all timelines of these tables, otherwise only its own name.
-- snowmint.home is the LIKE pattern of all timelines of these tables. A dump that is restored has another.
-- Two standbys that both replaced one server have the same name. snowmint.server, which operators see,
-- adds the time when the server was started.
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
    ),
    set_config('snowmint.home', home || '-%', true)
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
