# --8<-- [start:mint]
snowmint doctor 'mysql://ids@host/ids?dialect=worker-node'
snowmint id 'snowflake+mysql://ids@host/ids?dialect=worker-node&layout=zero:1,time:28,worker:22,sequence:13&tick_ms=1000&epoch_ms=1767225600000'
# --8<-- [end:mint]
