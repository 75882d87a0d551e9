SELECT key_space, layout, from_ms FROM snowmint_schema
