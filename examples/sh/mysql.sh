# --8<-- [start:create]
snowmint migrate 'mysql://ids@host/ids'
snowmint segment create 'mysql://ids@host/ids' orders --if-not-exists
snowmint doctor 'mysql://ids@host/ids' # 0 refused
# --8<-- [end:create]
# --8<-- [start:mint]
snowmint id 'snowflake+mysql://ids@host/ids'
snowmint id 'segment+mysql://ids@host/ids?tag=orders' # 1
snowmint worker list 'mysql://ids@host/ids'
# --8<-- [end:mint]
# test: exits 2: to do it
# --8<-- [start:recover]
snowmint recover 'mysql://ids@host/ids' --all --raise-by-steps N --new-from 1
# --8<-- [end:recover]
# --8<-- [start:dry]
snowmint migrate 'mysql://ids@host/ids' --dry-run
# --8<-- [end:dry]
