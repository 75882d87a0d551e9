-- Names the server if it gives no worker ID until an operator has confirmed it: its tables are a copy,
-- or were retired for one.
SELECT current_setting('snowmint.server')
FROM snowmint_schema
WHERE tag_incarnation NOT LIKE current_setting('snowmint.home')
