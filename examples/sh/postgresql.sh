# --8<-- [start:create]
snowmint migrate 'postgres://ids@host/ids'
snowmint segment create 'postgres://ids@host/ids' orders --if-not-exists
snowmint doctor 'postgres://ids@host/ids' # 0 refused
# --8<-- [end:create]
# --8<-- [start:check]
snowmint doctor 'postgres://ids@host/ids' # 0 refused
# --8<-- [end:check]
# --8<-- [start:mint]
snowmint id 'snowflake+postgres://ids@host/ids'
snowmint id 'segment+postgres://ids@host/ids?tag=orders' # 1
snowmint worker list 'postgres://ids@host/ids'
# --8<-- [end:mint]
# --8<-- [start:dry]
snowmint migrate 'postgres://ids@host/ids' --dry-run
# --8<-- [end:dry]
