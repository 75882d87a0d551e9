-- A row where the tag was made. Not all owners keep names from being there twice.
INSERT INTO {table} ({tag}, {max}{columns})
SELECT :tag, :max{values}
WHERE NOT EXISTS (SELECT * FROM {table} WHERE {tag} = :tag)
RETURNING CAST({tag} AS text)
