-- Returns the rights that our statements need and this user lacks, even on single columns.
SELECT string_agg(needed, ', '), name
FROM (
    VALUES
        ('SELECT', 'snowmint_worker'),
        ('INSERT', 'snowmint_worker'),
        ('UPDATE', 'snowmint_worker'),
        ('SELECT', 'snowmint_segment'),
        ('INSERT', 'snowmint_segment'),
        ('UPDATE', 'snowmint_segment'),
        ('SELECT', 'snowmint_schema'),
        ('UPDATE', 'snowmint_schema')
) AS right_of (needed, name)
WHERE NOT has_any_column_privilege(to_regclass(name), needed)
GROUP BY name
