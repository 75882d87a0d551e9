-- Returns everything in the schema except what SQLite adds by itself: indexes without a statement,
-- and tables of its own statistics and counters.
SELECT type, name, tbl_name, coalesce(sql, '')
FROM sqlite_schema
WHERE NOT (type = 'index' AND sql IS NULL)
    AND NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'))
ORDER BY name
