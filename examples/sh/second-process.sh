# --8<-- [start:create]
snowmint migrate postgres://ids@host/ids
# --8<-- [end:create]
# --8<-- [start:both]
snowmint id 'snowflake+postgres://ids@host/ids' -n 100000 > first.txt & \
snowmint id 'snowflake+postgres://ids@host/ids' -n 100000 > second.txt; wait
sort first.txt second.txt | uniq -d | wc -l # 0
# --8<-- [end:both]
# --8<-- [start:kill]
snowmint id 'snowflake+postgres://ids@host/ids' -n 100000000 > killed.txt & sleep 1; kill -9 $!
snowmint id 'snowflake+postgres://ids@host/ids' -n 100000 > after.txt
sed -i '$d' killed.txt
sort killed.txt after.txt | uniq -d | wc -l # 0
# --8<-- [end:kill]
# --8<-- [start:workers]
snowmint worker list postgres://ids@host/ids
# --8<-- [end:workers]
