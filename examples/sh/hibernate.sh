# --8<-- [start:mint]
snowmint segment list 'postgres://ids@host/ids?dialect=sequence' # orders_seq
snowmint id 'segment+postgres://ids@host/ids?dialect=sequence&tag=orders_seq' # 1
# --8<-- [end:mint]
snowmint migrate 'mysql://ids@host/ids'
# --8<-- [start:mysql]
snowmint segment create 'mysql://ids@host/ids' orders
snowmint segment raise 'mysql://ids@host/ids' orders --from orders_SEQ.next_val --from orders.id # 152
snowmint id 'segment+mysql://ids@host/ids?tag=orders' # 152
# --8<-- [end:mysql]
