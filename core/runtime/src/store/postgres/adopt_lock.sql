SELECT 1 FROM snowmint_segment WHERE tag = :tag FOR UPDATE
