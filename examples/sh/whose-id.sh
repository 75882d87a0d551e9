snowmint migrate 'postgres://ids@host/ids'
snowmint segment create 'postgres://ids@host/ids' orders
snowmint id 'snowflake+postgres://ids@host/ids'
# --8<-- [start:snowflake]
snowmint decode --layout twitter 1541815603606036480 # 2022-06-28T16:07:40.105Z
snowmint worker list 'postgres://ids@host/ids' # HOLDER
# --8<-- [end:snowflake]
# --8<-- [start:number]
snowmint segment list 'postgres://ids@host/ids' # orders
# --8<-- [end:number]
# --8<-- [start:twice]
psql 'postgres://ids@host/ids' -c 'SELECT id, count(*) FROM orders GROUP BY id HAVING count(*) > 1'
# --8<-- [end:twice]
