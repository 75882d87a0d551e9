SELECT
    {max} - coalesce(CAST(:count AS signed) * {delta}, greatest({step}, {delta})),
    {max},
    {step},
    {delta},
    {remainder}
FROM {table}
WHERE {tag} = :tag
