-- Not all owners keep names from being there twice.
INSERT INTO {table} ({tag}, {max}{columns})
SELECT :tag, :max{values}
FROM DUAL
WHERE NOT EXISTS (SELECT * FROM {table} WHERE {tag} = :tag)
