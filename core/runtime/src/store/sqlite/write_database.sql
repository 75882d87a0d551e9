UPDATE snowmint_schema SET layout = :layout, from_ms = :from_ms
