snowmint migrate 'postgres://ids@old/ids'
snowmint segment create 'postgres://ids@old/ids' orders --start 4000000
snowmint migrate 'postgres://ids@new/ids'
snowmint segment create 'postgres://ids@new/ids' orders --start 3000000
# --8<-- [start:look]
snowmint recover 'postgres://ids@new/ids'
# --8<-- [end:look]
# --8<-- [start:say]
snowmint recover 'postgres://ids@new/ids' --from 'postgres://ids@old/ids' --raise-by-steps 0
snowmint recover 'postgres://ids@new/ids' --next orders=4176001 --raise-by-steps 60 --new-from 5000000
# --8<-- [end:say]
