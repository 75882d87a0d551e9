SELECT
    {tag},
    {max},
    {step},
    {delta},
    {remainder},
    CAST(floor({updated}) AS signed),
    count(*) OVER (PARTITION BY {tag})
FROM {table}
WHERE CAST(:tag AS char(64)) IS NULL OR {tag} = :tag
ORDER BY {tag}
