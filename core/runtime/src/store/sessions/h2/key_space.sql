SELECT key_space FROM snowmint_schema
