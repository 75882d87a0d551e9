snowmint migrate 'postgres://ids@a/ids'
snowmint migrate 'postgres://ids@b/ids'
# --8<-- [start:halves]
snowmint id 'snowflake+postgres://ids@a/ids?layout=zero:1,time:41,constant:1=0,worker:9,sequence:12@1288834974657/1'
snowmint id 'snowflake+postgres://ids@b/ids?layout=zero:1,time:41,constant:1=1,worker:9,sequence:12@1288834974657/1'
# --8<-- [end:halves]
# test: exits 3: realm_mismatch
snowmint id 'snowflake+postgres://ids@b/ids?layout=zero:1,time:41,constant:1=0,worker:9,sequence:12@1288834974657/1'
# --8<-- [start:tags]
snowmint segment create 'postgres://ids@a/ids' orders --stride 4 --start 1 --if-not-exists
snowmint segment create 'postgres://ids@b/ids' orders --stride 4 --start 2 --if-not-exists
snowmint id 'segment+postgres://ids@a/ids?tag=orders&at=postgres://ids@b/ids'
# --8<-- [end:tags]
