"""The tests on the page about testing run under pytest, and frozen clocks do what it says."""

from __future__ import annotations

import asyncio
import datetime
import os
import shutil
import subprocess
import sys
import uuid
from contextlib import AbstractContextManager
from pathlib import Path

import freezegun
import pytest
import time_machine

import snowmint

TESTS = Path(__file__).parents[3] / "examples/python/testing/test_shop.py"
LONG_AGO = datetime.datetime(2012, 1, 14, tzinfo=datetime.timezone.utc)


def store() -> str:
    return f"memory:{uuid.uuid4()}"


@pytest.mark.parametrize("arguments", [(), ("-n", "2")], ids=["pytest", "pytest-xdist"])
def test_the_page_s_tests_pass(arguments: tuple[str, ...], tmp_path: Path) -> None:
    shutil.copy(TESTS, tmp_path)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0 and "3 passed" in ended.stdout, ended.stdout + ended.stderr


@pytest.mark.parametrize("freeze", [freezegun.freeze_time, time_machine.travel])
def test_frozen_clocks_do_not_change_ids(freeze: type[AbstractContextManager[object]]) -> None:
    flake = snowmint.Snowflake.open(f"snowflake+{store()}")
    orders = snowmint.Segment.open(f"segment+{store()}?tag=orders&step=10")
    with freeze(LONG_AGO):  # type: ignore[call-arg]
        assert datetime.datetime.now(datetime.timezone.utc).year == 2012
        taken = [flake.next_id(), asyncio.run(flake.next_id_async()), *flake.next_ids(5)]
        # Several ranges: the store is asked meanwhile.
        assert list(orders.next_ids(50)) == list(range(1, 51))
        # A bound of the frozen clock does not fit them.
        assert max(taken) > flake.layout.max_id(datetime.datetime.now(datetime.timezone.utc))
    assert taken == sorted(set(taken))
    assert all(flake.layout.decode(id).time.year > 2012 for id in taken)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_cannot_use_a_store_in_memory_of_its_parent() -> None:
    url = f"segment+{store()}?tag=orders"
    lines = f"""
import os, snowmint
orders = snowmint.open({url!r})
orders.next_id()
child = os.fork()
if child == 0:
    refused = 0
    for use in (orders.next_id, lambda: snowmint.open({url!r})):
        try:
            use()
        except snowmint.StoreError as error:
            refused += error.code == "store_unavailable"
    other = snowmint.open("segment+memory:child?tag=orders").next_id()
    os._exit(0 if (refused, other) == (2, 1) else 1)
assert os.waitpid(child, 0)[1] == 0
assert orders.next_id() == 2
"""
    subprocess.run([sys.executable, "-c", lines], check=True)
