# test: exits 2: it is not known how far orders went
# --8<-- [start:look]
snowmint recover postgres://ids@new/ids --all
# --8<-- [end:look]
# test: exits 2: to do it
# --8<-- [start:from]
snowmint recover postgres://ids@new/ids --all --from postgres://ids@old/ids --raise-by-steps 0
# --8<-- [end:from]
# test: exits 2: to do it
# --8<-- [start:next]
snowmint recover postgres://ids@new/ids --all --next orders=4176001 --next invoices=88001 \
    --raise-by-steps N --new-from 1
# --8<-- [end:next]
# test: exits 2: to do it, repeat this command with --server
# --8<-- [start:steps]
snowmint recover postgres://ids@new/ids --all --raise-by-steps N --new-from 1
# --8<-- [end:steps]
# test: exits 2: to do it
# --8<-- [start:days]
snowmint recover postgres://ids@new/ids --all --next bills:20261201=4712 --next orders=10236001 \
    --raise-by-steps 10 --new-from 1
# --8<-- [end:days]
# test: go on by themselves
# --8<-- [start:confirm]
snowmint recover postgres://ids@new/ids --all --raise-by-steps N --new-from 1 \
    --server ID --yes
# --8<-- [end:confirm]
# --8<-- [start:doctor]
snowmint doctor postgres://ids@new/ids # 0 refused
# --8<-- [end:doctor]
