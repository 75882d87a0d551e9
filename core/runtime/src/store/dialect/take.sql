-- Adds to max as the owner's own statement does, but by the requested count. The row's lock keeps
-- the two apart. An invalid or exhausted row is left as it is. The condition compares before the
-- sum is made, which could exceed 2^63.
UPDATE {table} SET
    {max} = {max} + coalesce(CAST(:count AS {integer}) * {delta}, greatest({step}, {delta})){touch}
WHERE {tag} = :tag
    AND {max} >= 0
    AND {step} BETWEEN 1 AND 1073741824
    AND {delta} BETWEEN 1 AND 1073741824
    AND {remainder} BETWEEN 0 AND {delta} - 1
    AND {max} <= CAST(:last AS {integer})
        - coalesce(CAST(:count AS {integer}) * {delta}, greatest({step}, {delta}))
