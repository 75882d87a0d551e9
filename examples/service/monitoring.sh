snowmint segment create 'sqlite:ids.db?create=true' orders
snowmint serve --config serve.toml &
# --8<-- [start:ready]
curl http://127.0.0.1:8065/readyz # "ready":true
curl http://127.0.0.1:8065/metrics # snowmint_source_ready{source="orders"…} 1
# --8<-- [end:ready]
# --8<-- [start:failure]
curl -s http://127.0.0.1:8065/metrics | grep snowmint_source_failure
# --8<-- [end:failure]
# --8<-- [start:top]
snowmint top http://127.0.0.1:8065 # orders…segment…ready
# --8<-- [end:top]
# --8<-- [start:raise]
curl -H 'content-type: application/json' http://127.0.0.1:8065/admin/tags/raise \
    -d '{"store": "sqlite:ids.db", "tag": "orders", "above": "5000000"}' # 5000001
# --8<-- [end:raise]
