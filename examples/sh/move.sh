snowmint migrate sqlite:/var/lib/shop/ids.db
snowmint segment create /var/lib/shop/ids.db orders
# --8<-- [start:move]
snowmint migrate 'postgres://ids@host/ids'
snowmint segment move /var/lib/shop/ids.db orders --to 'postgres://ids@host/ids'
snowmint id 'segment+postgres://ids@host/ids?tag=orders'
# --8<-- [end:move]
# test: exits 4: error[tag_moved]
# --8<-- [start:moved]
snowmint id 'segment+sqlite:/var/lib/shop/ids.db?tag=orders' # error[tag_moved]
# --8<-- [end:moved]
