snowmint migrate 'redis://host:6379/0?restarts=vouched'
# test: exits 2: to do it
# --8<-- [start:recover]
snowmint recover 'redis://host:6379/0?restarts=vouched' --all --raise-by-steps N --new-from 1
# --8<-- [end:recover]
# test: go on by themselves
# --8<-- [start:confirm]
snowmint recover 'redis://host:6379/0?restarts=vouched' --all --raise-by-steps N --new-from 1 \
    --server ID --yes
# --8<-- [end:confirm]
