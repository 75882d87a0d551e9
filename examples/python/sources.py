import os

# --8<-- [start:sources]
from snowmint import Daily, Segment, Sequences, Snowflake, SqliteStore, UuidSource

store = SqliteStore("/var/lib/shop/ids.db", create=True)
store.ensure_tag("orders")

leased = Snowflake(store=store)                  # leases a free worker ID
fixed = Snowflake(worker_id=7, state_directory="/var/lib/shop/state")
orders = Segment("orders", store=store)          # 1, 2, 3, …
tickets = Daily("ticket", store=store, zone="Asia/Shanghai")  # 20260821000001, …
messages = Sequences("chat", store=store)        # a sequence for each key
uuids = UuidSource(7)                            # UUIDs of version 7
# --8<-- [end:sources]

# --8<-- [start:mint]
id = leased.next_id()              # an int; waits up to 5 s
some = leased.next_ids(100)        # an array('Q')
maybe = leased.try_next_id()       # None instead of waiting
message = messages.next(42)        # the next number of key 42
uuid = uuids.next_uuid()           # a uuid.UUID
for next_id in leased:
    break
# --8<-- [end:mint]
assert len(set(some) | {id, next_id}) == 102 and maybe is not None
assert uuid.version == 7 and len(str(tickets.next_id())) == 14
assert orders.next_id() % 1000 == 1 and message > 0
assert fixed.layout.decode(fixed.next_id()).worker_id == 7

os.environ.setdefault("IDS_STORE", "sqlite:/var/lib/shop/ids.db?create=true")

# --8<-- [start:join]
ids = os.environ["IDS_STORE"]
joined = Segment.open(f"segment+{ids}{'&' if '?' in ids else '?'}tag=orders")
# --8<-- [end:join]
assert joined.next_id() > 0

# --8<-- [start:limit]
store.ensure_tag("tickets", max=2147483647)  # the column is an INTEGER
# --8<-- [end:limit]

# --8<-- [start:close]
with Snowflake(store=store) as flake:
    print(flake.next_id())
leased.close(wait_ms=2000)  # waits until the store knows that nobody holds the worker ID
# --8<-- [end:close]
for source in (fixed, orders, joined, tickets, messages):
    source.close()
