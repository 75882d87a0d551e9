# --8<-- [start:bounds]
snowmint bounds --layout twitter 2026-01-01..2026-02-01 # 2006515713438646272
# --8<-- [end:bounds]
