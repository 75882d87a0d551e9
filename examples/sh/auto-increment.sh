# --8<-- [start:prepare]
snowmint migrate 'postgres://ids@host/ids'
snowmint segment create 'postgres://ids@host/ids' orders --if-not-exists
# --8<-- [end:prepare]
# test: exits 4: DROP DEFAULT
# --8<-- [start:check]
snowmint adopt 'postgres://ids@host/ids' --from public.orders.id --tag orders \
  --into 'postgres://ids@host/ids' --check
# --8<-- [end:check]
