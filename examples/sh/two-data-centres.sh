snowmint migrate 'postgres://ids@host/ids'
snowmint migrate 'mysql://ids@host/ids'
# --8<-- [start:halves]
snowmint id 'snowflake+postgres://ids@host/ids?layout=zero:1,time:41,constant:1=0,worker:9,sequence:12@1288834974657/1'
snowmint id 'snowflake+mysql://ids@host/ids?layout=zero:1,time:41,constant:1=1,worker:9,sequence:12@1288834974657/1'
# --8<-- [end:halves]
# test: exits 3: realm_mismatch
snowmint id 'snowflake+mysql://ids@host/ids?layout=zero:1,time:41,constant:1=0,worker:9,sequence:12@1288834974657/1'
