-- Which history of the database this is: the cluster, and its timeline, which a promotion changes.
-- A standby has none of its own yet. It is a setting of this transaction, for its statements; so is
-- the same again where not all standbys that are named confirm what is committed: of `a, b`, of
-- `1 (a, b)` and of any others (`*`), one that did not may be promoted.
SELECT
    nullif(set_config('snowmint.incarnation', incarnation, true), ''),
    set_config('snowmint.unconfirmed', CASE WHEN NOT is_confirmed THEN incarnation END, true)
FROM (
    SELECT CASE WHEN NOT pg_is_in_recovery()
        THEN system_identifier || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    END
    FROM pg_control_system()
) AS server (incarnation), (
    SELECT coalesce(
        count(DISTINCT trim(BOTH '"' FROM name[1])) = max(CAST(coalesce(parts[1], '1') AS numeric))
        AND bool_and(trim(BOTH '"' FROM name[1]) <> '*'),
        FALSE
    )
    FROM
        (SELECT current_setting('synchronous_standby_names')) AS setting (names),
        regexp_match(
            names,
            '^[[:space:]]*(?:first|any)?[[:space:]]*([0-9]+)[[:space:]]*[(](.*)[)][[:space:]]*$',
            'i'
        ) AS counted (parts),
        regexp_matches(coalesce(parts[2], names), '"[^"]*"|[^",[:space:]]+', 'g') AS named (name)
) AS standbys (is_confirmed)
