"""Mints from the source of a URL until it is killed: an ID a line. A call that fails ends it."""

import os
import sys

import snowmint

BLOCK = 64

with snowmint.open(sys.argv[1]) as source:
    while True:
        ids = [source.next_id() for _ in range(BLOCK)] + list(source.next_ids(BLOCK))
        os.write(1, "".join(f"{one}\n" for one in ids).encode())
