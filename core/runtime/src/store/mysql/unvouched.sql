-- Names the server if it gives no worker ID until an operator has confirmed it: its tables were
-- retired for a copy.
SELECT @snowmint_incarnation FROM snowmint_schema WHERE tag_incarnation = 'retired'
