snowmint segment create 'sqlite:ids.db?create=true' orders
snowmint serve --config serve.toml &
# --8<-- [start:ids]
curl -X POST http://127.0.0.1:8064/v1/ids/orders # {"ids":["1"]}
curl -X POST 'http://127.0.0.1:8064/v1/ids/orders?count=3' # {"ids":["2","3","4"]}
curl -X POST -H 'Accept: text/plain' 'http://127.0.0.1:8064/v1/ids/orders?count=2' # 5
# --8<-- [end:ids]
# --8<-- [start:ranges]
curl -X POST 'http://127.0.0.1:8064/v1/ids/orders?count=50&form=ranges' # {"ranges":[{"start":"7","end":"57","stride":"1"}]}
# --8<-- [end:ranges]
# --8<-- [start:decode]
curl 'http://127.0.0.1:8064/v1/decode/1541815603606036480?layout=twitter' # "time":"2022-06-28T16:07:40.105Z"
# --8<-- [end:decode]
# --8<-- [start:refused]
curl -X POST http://127.0.0.1:8064/v1/ids/invoices # "code":"unknown_tag"
# --8<-- [end:refused]
