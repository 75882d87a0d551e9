SELECT max(version) FROM snowmint_schema
