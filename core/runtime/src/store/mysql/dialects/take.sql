-- As its owner's statement does, by as much as is asked for: the lock of the row keeps both apart. A
-- row that cannot be right, or has come to its end, is left as it is: the comparison comes before
-- the sum, which would pass 2^63.
UPDATE {table} SET
    {max} = {max} + coalesce(CAST(:count AS signed) * {delta}, greatest({step}, {delta})){touch}
WHERE {tag} = :tag
    AND {max} >= 0
    AND {step} BETWEEN 1 AND 1073741824
    AND {delta} BETWEEN 1 AND 1073741824
    AND {remainder} BETWEEN 0 AND {delta} - 1
    AND {max} <= :last - coalesce(CAST(:count AS signed) * {delta}, greatest({step}, {delta}))
