UPDATE snowmint_schema SET layout = :layout, layout_from_ms = :from_ms
