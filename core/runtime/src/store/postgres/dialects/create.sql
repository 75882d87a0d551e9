-- Returns a row if the tag was made. The owner's table may lack a unique key on names, so the
-- statement checks for the name.
INSERT INTO {table} ({tag}, {max}{columns})
SELECT :tag, :max{values}
WHERE NOT EXISTS (SELECT * FROM {table} WHERE {tag} = :tag)
RETURNING CAST({tag} AS text)
