snowmint migrate 'redis://host:6379/0?restarts=vouched'
# --8<-- [start:recover]
snowmint recover 'redis://host:6379/0?restarts=vouched' --raise-by-steps 6000
# --8<-- [end:recover]
