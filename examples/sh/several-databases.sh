snowmint migrate 'postgres://ids@host/ids'
snowmint migrate 'mysql://ids@host/ids'
# --8<-- [start:create]
snowmint segment create 'postgres://ids@host/ids' orders --stride 4 --start 1 --if-not-exists
snowmint segment create 'mysql://ids@host/ids' orders --stride 4 --start 2 --if-not-exists
snowmint id 'segment+postgres://ids@host/ids?tag=orders&at=mysql://ids@host/ids'
# --8<-- [end:create]
# --8<-- [start:key]
snowmint id 'segment+postgres://ids@host/ids?tag=orders&at=mysql://ids@host/ids' --key 42
# --8<-- [end:key]
# --8<-- [start:class]
snowmint segment raise 'mysql://ids@host/ids' orders --remainder 3
# --8<-- [end:class]
