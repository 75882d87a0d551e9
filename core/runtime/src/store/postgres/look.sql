-- Returns the tables of ours in the schema. Of each: whether its trigger is missing, whether this
-- user may use the schema, whether the table survives a crash, and whether row-level security may
-- hide rows. It may if no policy lets the user read, add or change all rows, or if a restrictive
-- policy applies.
SELECT
    CAST(relname AS text),
    relname <> 'snowmint_schema' AND NOT EXISTS (
        SELECT * FROM pg_trigger
        WHERE tgrelid = pg_class.oid AND tgenabled IN ('O', 'A')
            AND tgname = relname || '_rises'
    ),
    has_schema_privilege(relnamespace, 'USAGE'),
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
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = CAST(:schema AS text)
    AND relname IN ('snowmint_worker', 'snowmint_segment', 'snowmint_schema')
    AND relkind NOT IN ('i', 'I', 'c')
ORDER BY 1
