# --8<-- [start:mint]
snowmint segment list 'postgres://ids@host/ids?dialect=sequence' # orders_seq
snowmint id 'segment+postgres://ids@host/ids?dialect=sequence&tag=orders_seq' # 1
# --8<-- [end:mint]
