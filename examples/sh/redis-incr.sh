# --8<-- [start:mint]
snowmint segment create 'redis://host:6379/0?dialect=counter' orders --if-not-exists
snowmint id 'segment+redis://host:6379/0?dialect=counter&tag=orders' # 1
snowmint id 'daily+redis://host:6379/0?dialect=counter&expire=345600&tag=bills' # 000001
# --8<-- [end:mint]
snowmint migrate 'postgres://ids@host/ids'
# --8<-- [start:move]
snowmint segment move 'redis://host:6379/0?dialect=counter' orders --to 'postgres://ids@host/ids'
# --8<-- [end:move]
