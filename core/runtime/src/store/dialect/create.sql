-- The owner's table may lack a unique key on names, so the statement checks for the name.
INSERT INTO {table} ({tag}, {max}{columns})
SELECT :tag, :max{values}
FROM (SELECT 1 AS one) AS row_of_one
WHERE NOT EXISTS (SELECT * FROM {table} WHERE {tag} = :tag)
