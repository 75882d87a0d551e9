UPDATE {table} SET {max} = coalesce(CAST(:max AS signed), {max}){raised}{touch}
WHERE {tag} = :tag AND {max} >= 0 AND coalesce(CAST(:max AS signed), {max}) >= {max}
