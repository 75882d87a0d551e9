snowmint segment create 'sqlite:ids.db?create=true' orders
snowmint serve --config serve.toml &
curl -X POST http://127.0.0.1:8064/v1/ids/ids
# --8<-- [start:incr]
redis-cli -p 6064 INCR orders # 1
redis-cli -p 6064 INCRBY orders 10 # 11
redis-cli -p 6064 GET orders # 11
redis-cli -p 6064 SET orders 5 # ERR unsupported
# --8<-- [end:incr]
