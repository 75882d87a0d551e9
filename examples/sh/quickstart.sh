# --8<-- [start:create]
snowmint migrate sqlite:/tmp/shop.db
# --8<-- [end:create]
# --8<-- [start:snowflakes]
snowmint id 'snowflake+sqlite:/tmp/shop.db' -n 3
# --8<-- [end:snowflakes]
# --8<-- [start:decode]
snowmint decode 1541815603606036480
# --8<-- [end:decode]
# --8<-- [start:segment]
snowmint segment create sqlite:/tmp/shop.db orders --if-not-exists
snowmint id 'segment+sqlite:/tmp/shop.db?tag=orders' # 1
snowmint id 'segment+sqlite:/tmp/shop.db?tag=orders' # 2
# --8<-- [end:segment]
# --8<-- [start:list]
snowmint segment list sqlite:/tmp/shop.db # orders
snowmint worker list sqlite:/tmp/shop.db # resting
# --8<-- [end:list]
# --8<-- [start:doctor]
snowmint doctor sqlite:/tmp/shop.db # 0 refused
# --8<-- [end:doctor]
