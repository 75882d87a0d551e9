# --8<-- [start:show]
snowmint layouts twitter # sequence
snowmint decode 1541815603606036480 # 2022-06-28T16:07:40.105Z
# --8<-- [end:show]
