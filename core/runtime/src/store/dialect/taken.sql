    -- The largest number before and after, the step, delta and remainder.
    CAST(
        {max} - coalesce(CAST(:count AS {integer}) * {delta}, greatest({step}, {delta})) AS {text}
    ),
    CAST({max} AS {text}),
    CAST({step} AS {text}),
    CAST({delta} AS {text}),
    CAST({remainder} AS {text})
