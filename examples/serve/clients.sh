snowmint id 'http://a:8064,b:8064,c:8064/orders'                # 1, 2, 3, … of the tag orders
snowmint id 'snowflake+http://a:8064,b:8064,c:8064'             # a worker ID leased there
snowmint id 'http://a:8064/orders?servers=file:servers'         # servers that come and go, one a line
