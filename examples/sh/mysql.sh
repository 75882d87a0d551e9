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
# test: exits 2: to do it, repeat this command with --server
# --8<-- [start:recover]
snowmint recover 'mysql://ids@host/ids' --all --raise-by-steps N --new-from 1
# --8<-- [end:recover]
# test: orders
# --8<-- [start:confirm]
snowmint recover 'mysql://ids@host/ids' --all --raise-by-steps N --new-from 1 \
    --server ID --yes
# --8<-- [end:confirm]
# --8<-- [start:check]
snowmint doctor 'mysql://ids@host/ids' # 0 refused
# --8<-- [end:check]
# --8<-- [start:dry]
snowmint migrate 'mysql://ids@host/ids' --dry-run
# --8<-- [end:dry]
