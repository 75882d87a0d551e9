SELECT CAST(max(version) AS bigint) FROM snowmint_schema
