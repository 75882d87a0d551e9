snowmint migrate sqlite:/var/lib/shop/ids.db
# --8<-- [start:doctor]
snowmint doctor /var/lib/shop/ids.db # key_space=
snowmint doctor # clock source
# --8<-- [end:doctor]
