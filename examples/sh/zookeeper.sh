# --8<-- [start:create]
snowmint migrate 'zookeeper://host:2181'
snowmint segment create 'zookeeper://host:2181' orders --if-not-exists
snowmint doctor 'zookeeper://host:2181' # 0 refused
# --8<-- [end:create]
# --8<-- [start:mint]
snowmint id 'snowflake+zookeeper://host:2181'
snowmint id 'segment+zookeeper://host:2181?tag=orders' # 1
snowmint worker list 'zookeeper://host:2181'
# --8<-- [end:mint]
# test: exits 2: to do it
# --8<-- [start:recover]
snowmint recover 'zookeeper://host:2181' --all --raise-by-steps N --new-from 1
# --8<-- [end:recover]
# test: orders
# --8<-- [start:confirm]
snowmint recover 'zookeeper://host:2181' --all --raise-by-steps N --new-from 1 --yes
# --8<-- [end:confirm]
# --8<-- [start:check]
snowmint doctor 'zookeeper://host:2181' # 0 refused
# --8<-- [end:check]
