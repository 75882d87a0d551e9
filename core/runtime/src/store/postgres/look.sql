-- What of our schema the search path shows: each table, whether it lacks its trigger, whether this
-- user would find it with the right to use its schema, without which a search passes it over, whether
-- it lives through a crash, and whether row-level security may keep rows from him: it does where no
-- policy of his lets him read, add or change all, or a restrictive one is there as well.
WITH
    named(position, name) AS (
        SELECT position, CASE
            WHEN part[1] LIKE '"%' THEN replace(substr(part[1], 2, length(part[1]) - 2), '""', '"')
            ELSE lower(part[1])
        END
        FROM regexp_matches(
            current_setting('search_path'), '"(?:[^"]|"")*"|[^",[:space:]]+', 'g'
        ) WITH ORDINALITY AS parts (part, position)
    ),
    path(position, schema) AS (
        SELECT min(position), pg_namespace.oid
        FROM named JOIN pg_namespace
            ON nspname = CASE WHEN name = '$user' THEN current_user ELSE name END
        GROUP BY pg_namespace.oid
    ),
    shown(name, found) AS (
        SELECT name, to_regclass(name)
        FROM unnest(ARRAY['snowmint_worker', 'snowmint_segment', 'snowmint_schema']) AS it (name)
    )
SELECT
    CAST(nspname AS text),
    CAST(relname AS text),
    relname <> 'snowmint_schema' AND NOT EXISTS (
        SELECT * FROM pg_trigger
        WHERE tgrelid = pg_class.oid AND tgenabled IN ('O', 'A')
            AND tgname = relname || '_rises'
    ),
    pg_class.oid IS DISTINCT FROM found,
    relpersistence = 'p',
    row_security_active(pg_class.oid) AND EXISTS (
        SELECT * FROM unnest(CAST('{r,a,w}' AS "char"[])) AS needed (command)
        WHERE (
            SELECT NOT coalesce(
                bool_and(polpermissive) AND bool_or(
                    (command = 'a' OR pg_get_expr(polqual, polrelid) = 'true')
                    AND (
                        command = 'r'
                        OR pg_get_expr(coalesce(polwithcheck, polqual), polrelid) = 'true'
                    )
                ),
                false
            )
            FROM pg_policy
            WHERE polrelid = pg_class.oid AND polcmd IN ('*', command)
                AND EXISTS (
                    SELECT * FROM unnest(polroles) AS it (role)
                    WHERE role = 0 OR pg_has_role(role, 'USAGE')
                )
        )
    )
FROM shown
    JOIN pg_class ON relname = name
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
    LEFT JOIN path ON schema = relnamespace
WHERE pg_class.oid = found
    OR position IS NOT NULL AND NOT has_schema_privilege(relnamespace, 'USAGE') AND (
        found IS NULL OR position < (
            SELECT path.position
            FROM pg_class AS other JOIN path ON schema = other.relnamespace
            WHERE other.oid = found
        )
    )
ORDER BY 1, 2
