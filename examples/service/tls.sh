# --8<-- [start:certificate]
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
    -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE \
    -keyout server.key -out server.pem
chmod 600 server.key
# --8<-- [end:certificate]
# --8<-- [start:serve]
snowmint serve --tls-certificate server.pem --tls-key server.key &
curl --cacert server.pem -X POST https://127.0.0.1:8064/v1/ids/ids # {"ids":["…"]}
snowmint top --once 'https://127.0.0.1:8065?cafile=server.pem' # ids
# --8<-- [end:serve]
