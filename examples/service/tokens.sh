# --8<-- [start:token]
export SNOWMINT_SERVE_TOKENS_FILE=tokens.toml
TOKEN=$(snowmint token create --name shop --sources ids --max-count 1000 --rate 5000)
snowmint serve &
curl -X POST -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8064/v1/ids/ids # {"ids":["…"]}
REDISCLI_AUTH=$TOKEN redis-cli -p 6064 INCR ids
# --8<-- [end:token]
# --8<-- [start:hidden]
(umask 077; echo "Authorization: Bearer $TOKEN" > header)
curl -X POST -H @header http://127.0.0.1:8064/v1/ids/ids # {"ids":["…"]}
# --8<-- [end:hidden]
# --8<-- [start:second]
snowmint token create --name second --sources ids
# --8<-- [end:second]
snowmint token revoke shop && kill -HUP $!
