# --8<-- [start:one]
snowmint segment create 'sqlite:ids.db?create=true' orders --if-not-exists
snowmint serve --config serve.toml &
curl --retry 9 --retry-connrefused -X POST http://127.0.0.1:8064/v1/ids/orders
# --8<-- [end:one]
# --8<-- [start:database]
psql postgres://postgres@10.0.0.5/postgres -c "CREATE ROLE ids LOGIN PASSWORD 'secret'"
psql postgres://postgres@10.0.0.5/postgres -c "CREATE DATABASE ids OWNER ids"
export PGPASSWORD=secret
snowmint migrate postgres://ids@10.0.0.5/ids
snowmint doctor postgres://ids@10.0.0.5/ids
# --8<-- [end:database]
# --8<-- [start:move]
kill $! && wait
snowmint segment move ids.db orders --to postgres://ids@10.0.0.5/ids
# --8<-- [end:move]
# --8<-- [start:wait]
reserved=$(snowmint worker list ids.db --json | sed 's/.*"reserved":"\([^"]*\)".*/\1/' | sort | tail -n 1)
until psql -At postgres://ids@10.0.0.5/ids -c "SELECT now() > '$reserved'" | grep -qx t; do sleep 1; done
# --8<-- [end:wait]
# --8<-- [start:servers]
set -a && . /etc/snowmint/environment && set +a
snowmint serve --config /etc/snowmint/serve.toml &
curl --retry 9 --retry-all-errors --fail http://$SNOWMINT_SERVE_HTTP_LISTEN/readyz
# --8<-- [end:servers]
# --8<-- [start:certificate]
install -d -m 700 /etc/nginx/tls
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
    -subj /CN=ids.example -addext subjectAltName=DNS:ids.example \
    -addext basicConstraints=critical,CA:FALSE \
    -keyout /etc/nginx/tls/server.key -out /etc/nginx/tls/server.pem
# --8<-- [end:certificate]
# --8<-- [start:nginx]
cp packages/service/cluster/nginx.conf /etc/nginx/conf.d/snowmint.conf
nginx -t && nginx -s reload
# --8<-- [end:nginx]
# --8<-- [start:ask]
curl --retry 9 --retry-connrefused --cacert /etc/nginx/tls/server.pem --resolve ids.example:8443:10.0.0.6 \
    -X POST 'https://ids.example:8443/v1/ids/orders?count=3'
# --8<-- [end:ask]
