-- Returns whether this user may make our tables, and their schema if that does not exist.
SELECT CAST(
    CASE
        WHEN to_regnamespace(quote_ident(CAST(:schema AS text))) IS NULL
        THEN has_database_privilege(current_database(), 'CREATE')
        ELSE has_schema_privilege(CAST(:schema AS text), 'CREATE')
    END
AS text)
