# --8<-- [start:mint]
snowmint segment list 'mysql://ids@host/ids?dialect=cosid' # shop.orders
snowmint id 'segment+mysql://ids@host/ids?dialect=cosid&tag=shop.orders' # 1
# --8<-- [end:mint]
# --8<-- [start:create]
snowmint segment create 'sqlite:/var/lib/shop/ids.db?create=true' shop.orders --start 5000001
# --8<-- [end:create]
snowmint migrate 'mysql://ids@host/ids'
# --8<-- [start:half]
snowmint id 'snowflake+mysql://ids@host/ids?layout=zero:1,time:41,constant:1=1,worker:9,sequence:12@1577203200000/1'
# --8<-- [end:half]
