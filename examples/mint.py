"""Mints an ID with a worker ID leased from ids.db, and decodes the one that is given."""

import sys

import snowmint
from snowmint import Layout

with snowmint.open("snowflake+sqlite:ids.db?create=true") as flake:
    print("minted", flake.next_id())

parts = Layout.BWMARRIN.decode(int(sys.argv[1]))
time = parts.time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
print("decoded", time, parts.worker_id, parts.sequence)
