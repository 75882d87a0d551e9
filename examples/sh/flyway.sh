# --8<-- [start:write]
snowmint migrate 'postgres://ids@host/ids' --dry-run > V1__snowmint.sql
# --8<-- [end:write]
