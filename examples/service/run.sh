# --8<-- [start:serve]
snowmint serve &
# --8<-- [end:serve]
# --8<-- [start:ask]
curl -X POST http://127.0.0.1:8064/v1/ids/ids # {"ids":["…"]}
curl -X POST 'http://127.0.0.1:8064/v1/ids/ids?count=3' # {"ids":["…","…","…"]}
redis-cli -p 6064 INCR ids
curl http://127.0.0.1:8065/readyz # "ready":true
# --8<-- [end:ask]
# --8<-- [start:stop]
kill $! && wait $!
# --8<-- [end:stop]
# --8<-- [start:tag]
snowmint segment create 'sqlite:ids.db?create=true' orders --if-not-exists
# --8<-- [end:tag]
# --8<-- [start:config]
snowmint serve --config serve.toml &
curl -X POST http://127.0.0.1:8064/v1/ids/orders # {"ids":["1"]}
# --8<-- [end:config]
# --8<-- [start:print]
snowmint serve --config serve.toml --print-config
# --8<-- [end:print]
# --8<-- [start:reload]
curl -X POST http://127.0.0.1:8065/admin/reload # {"reloaded":true}
# --8<-- [end:reload]
