SELECT
    CAST({tag} AS {text}),
    CAST({max} AS {text}),
    CAST({step} AS {text}),
    CAST({delta} AS {text}),
    CAST({remainder} AS {text}),
    CAST(CAST(floor({updated}) AS {integer}) AS {text}),
    CAST(count(*) OVER (PARTITION BY {tag}) AS {text})
FROM {table}
WHERE CAST(:tag AS {text}) IS NULL OR {tag} = :tag
ORDER BY {tag}
