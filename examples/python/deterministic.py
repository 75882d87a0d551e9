# --8<-- [start:engine]
from snowmint import Layout, engine

machine = engine.Snowflake(Layout.TWITTER, worker_id=378)
assert machine.next_id(1656432460105) == 1541815603606036480

buffer = engine.SegmentBuffer(prefetch=10, step=100)
assert buffer.wants(now=0) == 100
buffer.supply(engine.Range(1, 101), now=0)
assert buffer.take(3) == engine.Range(1, 4)
# --8<-- [end:engine]
