# --8<-- [start:create]
snowmint migrate sqlite:/var/lib/shop/ids.db
snowmint segment create /var/lib/shop/ids.db orders --if-not-exists
snowmint doctor /var/lib/shop/ids.db # 0 refused
# --8<-- [end:create]
# --8<-- [start:mint]
snowmint id 'snowflake+sqlite:/var/lib/shop/ids.db'
snowmint id 'segment+sqlite:/var/lib/shop/ids.db?tag=orders' # 1
snowmint worker list /var/lib/shop/ids.db
# --8<-- [end:mint]
# test: exits 2: to do it
# --8<-- [start:recover]
snowmint recover /var/lib/shop/ids.db --all --raise-by-steps N --new-from 1
# --8<-- [end:recover]
# test: orders
# --8<-- [start:confirm]
snowmint recover /var/lib/shop/ids.db --all --raise-by-steps N --new-from 1 --yes
# --8<-- [end:confirm]
# --8<-- [start:check]
snowmint doctor /var/lib/shop/ids.db # 0 refused
# --8<-- [end:check]
