snowmint migrate 'postgres://ids@host/ids'
# --8<-- [start:raise]
snowmint segment create 'postgres://ids@host/ids' orders --if-not-exists
snowmint segment raise 'postgres://ids@host/ids' orders --from public.orders.id
snowmint id 'segment+postgres://ids@host/ids?tag=orders' # 778
# --8<-- [end:raise]
# --8<-- [start:look]
snowmint adopt 'mysql://ids@host/ids'
snowmint adopt 'postgres://ids@host/ids' --tag orders --from public.orders.id --check
# --8<-- [end:look]
# --8<-- [start:into]
snowmint adopt 'mysql://ids@host/ids' --into 'postgres://ids@host/ids'
# --8<-- [end:into]
