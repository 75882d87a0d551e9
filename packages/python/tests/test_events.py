"""Events that an operator hears of by ``logging``."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from vectors import document

import snowmint
from snowmint import Layout, Segment, Snowflake, SnowmintError

DEADLINE_S = 60
CODES = {row["name"]: row["severity"] for row in document("events.json")["events"]}


class Records(logging.Handler):
    """Keeps what is logged, once it is let in."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []
        self.is_open = threading.Event()
        self.is_open.set()

    def emit(self, record: logging.LogRecord) -> None:
        self.is_open.wait(DEADLINE_S)
        self.records.append(record)

    def named(self, name: str) -> logging.LogRecord:
        deadline = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline:
            for record in self.records:
                if vars(record)["snowmint_event"] == name:
                    return record
            time.sleep(0.01)
        raise AssertionError(f"no {name} among {self.names()}")

    def names(self) -> list[str]:
        return [vars(record)["snowmint_event"] for record in self.records]


@pytest.fixture
def heard() -> Iterator[Records]:
    logger, handler = logging.getLogger("snowmint"), Records()
    level = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(level)
    for record in handler.records:
        assert record.levelname.lower() == CODES[vars(record)["snowmint_event"]]


class Numbers:
    """A store of numbers that can fail, and go back."""

    def __init__(self) -> None:
        self.next = 1
        self.is_down = False

    def allocate(self, tag: str, count: int) -> tuple[int, int]:
        if self.is_down:
            raise ConnectionError("no route to the \x1b[31mstore")
        self.next += count
        return self.next - count, self.next


def until(orders: Segment, *, fails: bool) -> SnowmintError | None:
    """Mints until that fails, or no longer does; a call that came too early counts for neither."""
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        try:
            orders.next_id()
        except SnowmintError as error:
            if fails and error.code != "wait_timeout":
                return error
        else:
            if not fails:
                return None
    raise AssertionError("it goes on")


def test_a_store_down_and_back(heard: Records) -> None:
    numbers = Numbers()
    with Segment("events-down", allocate=numbers.allocate, step=1, wait_ms=50) as orders:
        orders.next_id()
        numbers.is_down = True
        until(orders, fails=True)
        numbers.is_down = False
        until(orders, fails=False)
        back = heard.named("store_back")
    assert heard.names() == ["store_down", "store_back"]
    down = heard.named("store_down")
    assert down.levelno == logging.WARNING and back.levelno == logging.INFO
    facts = vars(down)
    assert facts["tag"] == "events-down" and facts["source"] == "segment"
    assert facts["code"] == "store_unavailable" and facts["worker_id"] is None
    assert down.getMessage().startswith("store_down: the store fails; ")
    assert r"no route to the \u{1b}[31mstore" in down.getMessage()


def test_a_tag_that_went_back(heard: Records) -> None:
    numbers = Numbers()
    with Segment("events-back", allocate=numbers.allocate, step=1, wait_ms=50) as orders:
        for _ in range(5):
            until(orders, fails=False)
        numbers.next = 1
        failure = until(orders, fails=True)
        assert failure is not None and failure.code == "range_regressed"
        assert vars(heard.named("fenced"))["code"] == "range_regressed"


def test_a_layout_that_ends_within_a_year(heard: Records) -> None:
    ends_ms = int(time.time() * 1000) + 30 * 86_400_000
    layout = Layout("time:34,worker:10,sequence:12", epoch=ends_ms - 2**34)
    with Snowflake(layout=layout, store=snowmint.MemoryStore()) as flake:
        record = heard.named("expires_soon")
        assert vars(record)["worker_id"] == layout.decode(flake.next_id()).worker_id


def test_a_handler_that_hangs_keeps_nothing_from_going_on(heard: Records) -> None:
    heard.is_open.clear()
    numbers = Numbers()
    with Segment("events-hang", allocate=numbers.allocate, step=1, wait_ms=50) as orders:
        for _ in range(3):
            numbers.is_down = True
            until(orders, fails=True)
            numbers.is_down = False
            until(orders, fails=False)
        assert heard.records == []
        heard.is_open.set()
        deadline = time.monotonic() + DEADLINE_S
        while len(heard.records) < 6 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert heard.names() == ["store_down", "store_back"] * 3


FAILING = """
{imports}
import os, sys, threading, time, snowmint
is_down = threading.Event()
def allocate(tag, count, numbers=iter(range(1, 1000))):
    if is_down.is_set():
        raise ConnectionError
    number = next(numbers)
    return number, number + 1
orders = snowmint.Segment("orders", allocate=allocate, step=1, wait_ms=0)
def fail():
    is_down.set()
    while True:
        try:
            orders.next_id()
        except snowmint.StoreError:
            return
        except snowmint.SnowmintError:
            time.sleep(0.001)
"""


def run(script: str, imports: str = "") -> None:
    command = [sys.executable, "-W", "ignore", "-c", FAILING.format(imports=imports) + script]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("imports", ["", "import logging"])
def test_a_program_that_logs_nothing_sees_nothing(imports: str) -> None:
    run("fail(); time.sleep(0.5)", imports)


def test_a_handler_that_raises_is_told_of() -> None:
    raising = """
import logging
told = threading.Event()
def hook(raised):
    assert raised.exc_type is NameError, raised
    told.set()
sys.unraisablehook = hook
class Misspelt(logging.Handler):
    def emit(self, record):
        prnt(record)
logging.getLogger("snowmint").addHandler(Misspelt())
fail()
assert told.wait(60)
"""
    run(raising)


def test_a_filter_that_raises_or_hangs_does_not_keep_the_interpreter() -> None:
    hanging = """
import logging
called = threading.Event()
def filter(record):
    called.set()
    time.sleep(600)
logging.getLogger("snowmint").addFilter(filter)
fail()
called.wait()
"""
    run(hanging)
    raising = """
import logging
sys.unraisablehook = lambda raised: None
called = threading.Event()
def filter(record):
    called.set()
    raise ValueError
logging.getLogger("snowmint").addFilter(filter)
fail()
called.wait()
"""
    run(raising)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no forks here")
def test_a_forked_child_logs_its_own() -> None:
    script = """
import logging
called = threading.Event()
class Told(logging.Handler):
    def emit(self, record):
        called.set()
logging.getLogger("snowmint").addHandler(Told())
fail()
assert called.wait(60)
called.clear()
pid = os.fork()
if pid == 0:
    is_down.clear()
    fail()
    os._exit(0 if called.wait(60) else 3)
_, status = os.waitpid(pid, 0)
assert status == 0, status
"""
    run(script)
