-- Whether this user may make our tables, and in which schema.
SELECT
    quote_ident(current_schema()),
    CAST(has_schema_privilege(current_schema(), 'CREATE') AS text)
