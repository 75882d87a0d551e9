-- Returns whether our schema does not exist yet.
SELECT to_regnamespace(quote_ident(CAST(:schema AS text))) IS NULL
