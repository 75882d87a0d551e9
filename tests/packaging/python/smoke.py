"""Mints, decodes and fills with the installed snowmint: a few calls of each kind."""

import sys
import tempfile
from array import array
from pathlib import Path

import snowmint
from snowmint import engine

assert Path(snowmint.__file__).is_relative_to(sys.prefix), snowmint.__file__

with tempfile.TemporaryDirectory() as directory:
    flake = snowmint.open(f"snowflake+sqlite:{directory}/ids.db?create=true")
    buffer = array("Q", bytes(8 * 1000))
    flake.fill(buffer)
    ids = [flake.next_id(), next(flake), *flake.next_ids(1000), *buffer]
    assert len(set(ids)) == 2002
    assert len(set(flake.layout.decode_many(buffer).worker_id)) == 1
    assert flake.layout.decode(ids[0]).time.year > 2000
    flake.close()
    try:
        flake.next_id()
    except snowmint.ClosedError as error:
        assert error.code == "closed"
    segment = snowmint.Segment("orders", allocate=lambda tag, count: (1, 1 + count))
    assert segment.next_id() == 1

machine = engine.Snowflake("twitter", worker_id=378)
assert machine.next_id(1656432460105) == 1541815603606036480
print(f"snowmint {snowmint.version} works under Python {sys.version.split()[0]}")
