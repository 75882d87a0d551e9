-- Which history of the database this is: the cluster, and its timeline, which a promotion changes.
-- A standby has none of its own yet. It is a setting of this transaction, for its statements; so is
-- the same again where not all standbys that are named confirm what is committed. Of `a, b` and
-- `1 (a, b)` one that did not may be promoted; so may one of several that a name fits: any (`*`),
-- and those that have no other (`walreceiver`). Names are compared without case. Two standbys that
-- each took the place of one server have the same history by its name: for an operator a server is
-- told by when it was started as well.
SELECT
    nullif(set_config('snowmint.incarnation', incarnation, true), ''),
    set_config('snowmint.unconfirmed', CASE WHEN NOT is_confirmed THEN incarnation END, true),
    set_config(
        'snowmint.server',
        incarnation || '.'
            || to_hex(CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS bigint)),
        true
    )
FROM (
    SELECT CASE WHEN NOT pg_is_in_recovery()
        THEN system_identifier || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    END
    FROM pg_control_system()
) AS server (incarnation), (
    SELECT coalesce(
        count(DISTINCT name) = max(CAST(coalesce(parts[1], '1') AS numeric))
        AND bool_and(name NOT IN ('*', 'walreceiver')),
        FALSE
    )
    FROM
        (SELECT current_setting('synchronous_standby_names')) AS setting (names),
        regexp_match(
            names,
            '^[[:space:]]*(?:first|any)?[[:space:]]*([0-9]+)[[:space:]]*[(](.*)[)][[:space:]]*$',
            'i'
        ) AS counted (parts),
        regexp_matches(coalesce(parts[2], names), '"[^"]*"|[^",[:space:]]+', 'g') AS each (part),
        lower(trim(BOTH '"' FROM part[1])) AS named (name)
) AS standbys (is_confirmed)
