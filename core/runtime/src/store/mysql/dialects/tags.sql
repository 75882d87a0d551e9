SELECT {tag}, {max}, {step}, {delta}, {remainder}, CAST(floor({updated}) AS signed)
FROM {table}
WHERE CAST(:tag AS char(64)) IS NULL OR {tag} = :tag
ORDER BY {tag}
