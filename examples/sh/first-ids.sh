# --8<-- [start:mint]
snowmint id
snowmint id -n 3 --format base32
snowmint decode 1541815603606036480
# --8<-- [end:mint]
# --8<-- [start:segment]
snowmint migrate sqlite:/var/lib/shop/ids.db
snowmint segment create /var/lib/shop/ids.db orders --if-not-exists
snowmint id 'segment+sqlite:/var/lib/shop/ids.db?tag=orders'
# --8<-- [end:segment]
