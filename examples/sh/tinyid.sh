# --8<-- [start:mint]
snowmint segment list 'mysql://ids@host/ids?dialect=tinyid' # orders
snowmint id 'segment+mysql://ids@host/ids?dialect=tinyid&tag=orders' # 2
# --8<-- [end:mint]
