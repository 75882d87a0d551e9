snowmint migrate sqlite:/var/lib/shop/ids.db
# --8<-- [start:tag]
snowmint segment create /var/lib/shop/ids.db orders --if-not-exists
snowmint segment create /var/lib/shop/ids.db tickets --max 2147483647 --if-not-exists
snowmint id 'segment+sqlite:/var/lib/shop/ids.db?tag=orders' # 1
snowmint segment list /var/lib/shop/ids.db
# --8<-- [end:tag]
snowmint id 'daily+sqlite:/var/lib/shop/ids.db?tag=bills' # 000001
snowmint id 'sequences+sqlite:/var/lib/shop/ids.db?tag=chat' --key 42
snowmint segment set /var/lib/shop/ids.db tickets --max 9223372036854775806
