snowmint migrate 'postgres://ids@host/ids'
snowmint id 'snowflake+postgres://ids@host/ids'
# --8<-- [start:list]
snowmint worker list 'postgres://ids@host/ids' # HOLDER
# --8<-- [end:list]
# --8<-- [start:left]
snowmint doctor 'postgres://ids@host/ids' | grep 'worker IDs' # left
# --8<-- [end:left]
# test: exits 1
# --8<-- [start:alert]
snowmint doctor 'postgres://ids@host/ids' | grep -E '^(weaker|refused) +worker IDs'
# --8<-- [end:alert]
