# --8<-- [start:create]
snowmint migrate 'etcd://host:2379'
snowmint segment create 'etcd://host:2379' orders --if-not-exists
snowmint doctor 'etcd://host:2379' # 0 refused
# --8<-- [end:create]
# --8<-- [start:mint]
snowmint id 'snowflake+etcd://host:2379'
snowmint id 'segment+etcd://host:2379?tag=orders' # 1
snowmint worker list 'etcd://host:2379'
# --8<-- [end:mint]
# test: exits 2: to do it
# --8<-- [start:recover]
snowmint recover 'etcd://host:2379' --all --raise-by-steps N --new-from 1
# --8<-- [end:recover]
# test: orders
# --8<-- [start:confirm]
snowmint recover 'etcd://host:2379' --all --raise-by-steps N --new-from 1 --yes
# --8<-- [end:confirm]
# --8<-- [start:check]
snowmint doctor 'etcd://host:2379' # 0 refused
# --8<-- [end:check]
