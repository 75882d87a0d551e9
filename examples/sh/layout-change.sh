snowmint id 'snowflake+sqlite:/var/lib/shop/ids.db?create=true'
sleep 3
snowmint layout change /var/lib/shop/ids.db discord # exits 3: realm_mismatch
# --8<-- [start:change]
snowmint layout change /var/lib/shop/ids.db zero:1,time:42,worker:10,sequence:11@0/1 # from now on
snowmint id 'snowflake+sqlite:/var/lib/shop/ids.db?layout=zero:1,time:42,worker:10,sequence:11@0/1'
# --8<-- [end:change]
