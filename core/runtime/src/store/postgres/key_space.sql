SELECT CAST(key_space AS text) FROM snowmint_schema
