# --8<-- [start:look]
snowmint recover postgres://ids@new/ids # exits 2: it is not known how far orders went
# --8<-- [end:look]
# --8<-- [start:from]
snowmint recover postgres://ids@new/ids --from postgres://ids@old/ids --raise-by-steps 0 # exits 2: to do it
# --8<-- [end:from]
# --8<-- [start:next]
snowmint recover postgres://ids@new/ids --next orders=4176001 --raise-by-steps 60 --new-from 1 # exits 2: to do it
# --8<-- [end:next]
# --8<-- [start:steps]
snowmint recover postgres://ids@new/ids --raise-by-steps 100 --new-from 1 # exits 2: to do it
# --8<-- [end:steps]
# --8<-- [start:confirm]
snowmint recover postgres://ids@new/ids --raise-by-steps 100 --new-from 1 --server ID --yes # go on by themselves
# --8<-- [end:confirm]
# --8<-- [start:doctor]
snowmint doctor postgres://ids@new/ids # 0 refused
# --8<-- [end:doctor]
# --8<-- [start:import]
snowmint segment raise postgres://ids@new/ids orders --from shop.orders.id --at postgres://app@host/shop # orders
# --8<-- [end:import]
