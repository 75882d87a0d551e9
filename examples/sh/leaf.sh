# --8<-- [start:look]
snowmint doctor 'mysql://ids@host/ids?dialect=leaf'
snowmint segment list 'mysql://ids@host/ids?dialect=leaf' # orders
# --8<-- [end:look]
# --8<-- [start:mint]
snowmint id 'segment+mysql://ids@host/ids?dialect=leaf&tag=orders' # 1
# --8<-- [end:mint]
# --8<-- [start:nodes]
snowmint id 'snowflake+zookeeper://host:2181/snowflake/shop?dialect=leaf&address=10.0.0.7:8080&layout=leaf'
snowmint worker list 'zookeeper://host:2181/snowflake/shop?dialect=leaf&address=10.0.0.7:8080' # 10.0.0.7:8080
# --8<-- [end:nodes]
snowmint migrate 'mysql://ids@host/ids'
# --8<-- [start:half]
snowmint id 'snowflake+mysql://ids@host/ids?layout=zero:1,time:41,constant:1=1,worker:9,sequence:12@1288834974657/1'
# --8<-- [end:half]
# test: exits 2: to do it, repeat this command with --yes
# --8<-- [start:recover]
snowmint recover 'mysql://ids@host/ids?dialect=leaf' --all --raise-by-steps N --new-from 1
# --8<-- [end:recover]
# --8<-- [start:confirm]
snowmint recover 'mysql://ids@host/ids?dialect=leaf' --all --raise-by-steps N --new-from 1 --yes # orders
# --8<-- [end:confirm]
