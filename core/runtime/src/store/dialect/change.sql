UPDATE {table} SET {max} = coalesce(CAST(:max AS {integer}), {max}){raised}{touch}
WHERE {tag} = :tag AND {max} >= 0 AND coalesce(CAST(:max AS {integer}), {max}) >= {max}
