# --8<-- [start:bounds]
snowmint bounds --layout twitter 2026-01-01..2026-02-01 # 2006515713438646272
# --8<-- [end:bounds]
# --8<-- [start:day]
snowmint bounds --layout twitter '2026-01-31[Asia/Shanghai]' # 2017266553451446272
# --8<-- [end:day]
# --8<-- [start:time]
snowmint decode --layout twitter 1541815603606036480 # 2022-06-28T16:07:40.105Z
# --8<-- [end:time]
