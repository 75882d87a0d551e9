# --8<-- [start:create]
snowmint migrate 'redis://host:6379/0'
snowmint segment create 'redis://host:6379/0' orders --if-not-exists
snowmint doctor 'redis://host:6379/0' # 0 refused
# --8<-- [end:create]
# --8<-- [start:mint]
snowmint id 'snowflake+redis://host:6379/0'
snowmint id 'segment+redis://host:6379/0?tag=orders' # 1
snowmint worker list 'redis://host:6379/0'
# --8<-- [end:mint]
# test: exits 2: to do it
# --8<-- [start:replicas]
snowmint recover 'redis://host:6379/0?durability=declared' --all \
    --raise-by-steps N --new-from 1
# --8<-- [end:replicas]
# test: orders
# --8<-- [start:replicas-confirm]
snowmint recover 'redis://host:6379/0?durability=declared' --all \
    --raise-by-steps N --new-from 1 --yes
# --8<-- [end:replicas-confirm]
# test: exits 2: to do it
# --8<-- [start:recover]
snowmint recover 'redis://host:6379/0' --all --raise-by-steps N --new-from 1
# --8<-- [end:recover]
# test: orders
# --8<-- [start:confirm]
snowmint recover 'redis://host:6379/0' --all --raise-by-steps N --new-from 1 --yes
# --8<-- [end:confirm]
# --8<-- [start:check]
snowmint doctor 'redis://host:6379/0' # 0 refused
# --8<-- [end:check]
