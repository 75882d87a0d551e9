import atexit
import os

from snowmint import SqliteStore


def check() -> None:
    with SqliteStore("/tmp/ids.db") as store:
        os._exit(any(worker.held for worker in store.workers()))


atexit.register(check)

# --8<-- [start:exit]
import atexit

import snowmint

flake = snowmint.Snowflake.open("snowflake+sqlite:/tmp/ids.db?create=true", lazy=True)
# Waits up to a second until the store knows that nobody holds the worker ID.
atexit.register(flake.close, wait_ms=1000)
# --8<-- [end:exit]
assert flake.next_id() > 0
