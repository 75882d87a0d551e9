-- Whether our schema is still to be made.
SELECT to_regnamespace(quote_ident(CAST(:schema AS text))) IS NULL
