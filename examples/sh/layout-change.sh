snowmint id 'snowflake+sqlite:/var/lib/shop/ids.db?create=true'
sleep 3
# test: exits 3: realm_mismatch
snowmint layout change /var/lib/shop/ids.db discord
# --8<-- [start:change]
snowmint layout change /var/lib/shop/ids.db zero:1,time:42,worker:10,sequence:11@0/1
snowmint id 'snowflake+sqlite:/var/lib/shop/ids.db?layout=zero:1,time:42,worker:10,sequence:11@0/1'
# --8<-- [end:change]
