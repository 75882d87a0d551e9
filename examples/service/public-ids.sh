# --8<-- [start:serve]
snowmint public-ids keygen keys.toml # keys.toml: made
TOKEN=$(snowmint token create --file tokens.toml --name web --public-ids order)
snowmint serve --tokens-file tokens.toml --public-ids-keys keys.toml --public-ids-types order &
# --8<-- [end:serve]
# --8<-- [start:encode]
curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
    -d '{"ids":["1541815603606036480"]}' http://127.0.0.1:8064/v1/public-ids/order/encode # {"public":["order_1…"]}
# --8<-- [end:encode]
# --8<-- [start:decode]
curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
    -d '{"public":["order_1"]}' http://127.0.0.1:8064/v1/public-ids/order/decode # {"ids":[null]}
# --8<-- [end:decode]
