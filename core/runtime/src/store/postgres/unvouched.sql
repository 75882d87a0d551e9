-- Names the server if it gives no worker ID until an operator has confirmed it, because its tables are a
-- copy.
SELECT current_setting('snowmint.server')
FROM snowmint_schema
WHERE tag_incarnation NOT LIKE current_setting('snowmint.home')
    AND incarnation NOT LIKE current_setting('snowmint.home')
