# --8<-- [start:mint]
snowmint id 'http://a:8064,b:8064,c:8064/orders'
snowmint id 'snowflake+http://a:8064,b:8064,c:8064'
snowmint id 'http://a:8064/orders?servers=file:servers'
# --8<-- [end:mint]
