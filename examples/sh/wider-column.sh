snowmint migrate 'postgres://ids@host/ids'
snowmint segment create 'postgres://ids@host/ids' orders --max 2147483647
# --8<-- [start:widen]
psql 'postgres://ids@host/ids' -c 'ALTER TABLE orders ALTER COLUMN id TYPE bigint'
snowmint segment set 'postgres://ids@host/ids' orders --max 9223372036854775806
# --8<-- [end:widen]
