-- Every table and trigger with its columns in alphabetical order.
SELECT
    object.name,
    coalesce(
        (
            SELECT group_concat(name, ',')
            FROM (SELECT name FROM pragma_table_info(object.name) ORDER BY name)
        ),
        ''
    )
FROM sqlite_schema AS object
WHERE object.type IN ('table', 'trigger')
