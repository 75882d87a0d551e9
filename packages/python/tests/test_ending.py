"""The interpreter ends while threads are inside: with its status, by no signal, and soon."""

from __future__ import annotations

import subprocess
import sys

import pytest


def run(script: str) -> None:
    command = [sys.executable, "-c", script]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")


CALLED = """
import threading, time, snowmint
called = threading.Event()
def code(*arguments):
    called.set()
    {code}
class Answer:
    __index__ = __repr__ = code
class Broken(Exception):
    __str__ = code
def allocate(tag, count):
    {answer}
orders = snowmint.Segment("orders", allocate=allocate, wait_ms=0)
try:
    orders.next_id()
except snowmint.SnowmintError:
    called.wait()
"""


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("code()", "time.sleep(60)"),
        ("code()", "while True: pass"),
        ("return Answer(), 2", "time.sleep(60)"),
        ("return Answer()", "time.sleep(60)"),
        ("raise Broken", "time.sleep(60)"),
    ],
    ids=["sleeps", "runs", "in its integers", "in its repr", "in its exception"],
)
def test_a_store_of_the_users_is_still_called(answer: str, code: str) -> None:
    """It is waited for, but not for ever; after that its thread does not run on, nor end."""
    run(CALLED.format(code=code, answer=answer))


WORKER_STORE = """
import threading, time, snowmint
called = threading.Event()
class Desk:
    def acquire(self, request):
        now = time.time_ns() // 1_000_000
        return snowmint.Lease(
            realm="mine", worker_id=1, epoch=1, owner=request.owner, token=request.token,
            floor_ms=now, reserved_ms=now + request.reserve_ms, now_ms=now,
        )
    def renew(self, lease, token, reserve_ms):
        called.set()
        time.sleep(60)
    def release(self, lease):
        pass
flake = snowmint.Snowflake(store=Desk(), reserve_ms=100)
while not called.wait(0.01):
    flake.try_next_id()
    try:
        flake.next_id_within(0)
    except snowmint.SnowmintError:
        pass
"""


def test_a_worker_store_of_the_users_is_still_called() -> None:
    run(WORKER_STORE)


FLUSHED = """
import atexit, threading
over = threading.Event()
def flush():
    before = len(minted)
    while len(minted) < before + 100:
        pass
    over.set()
    thread.join()
atexit.register(flush)
import snowmint
minted = []
orders = snowmint.Segment("orders", allocate=lambda tag, count: (minted_to(), minted_to()), step=7)
reserved = [1]
def minted_to():
    reserved[0] += 5
    return reserved[0]
def mint():
    while not over.is_set():
        minted.append(orders.next_id())
        minted.extend(orders.next_ids(20))
thread = threading.Thread(target=mint, daemon=True)
thread.start()
"""


def test_an_exit_handler_that_was_there_before_the_import_waits_for_a_daemon_thread() -> None:
    """It runs after snowmint's own, and the thread goes on minting until it is told."""
    run(FLUSHED)


DAEMONS = """
import threading, snowmint
reserved = [1]
def allocate(tag, count):
    reserved[0] += count
    return reserved[0] - count, reserved[0]
orders = snowmint.Segment("orders", allocate=allocate)
begun = threading.Barrier(5)
def mint():
    orders.next_id()
    begun.wait()
    while True:
        try:
            orders.next_ids(0)
        except snowmint.SnowmintError:
            orders.next_ids(20)
for _ in range(4):
    threading.Thread(target=mint, daemon=True).start()
begun.wait()
"""


def test_daemon_threads_still_mint_and_fail() -> None:
    for _ in range(10):
        run(DAEMONS)


IMPORTING = """
import sys, threading, time, snowmint
sys.modules.pop("array", None)
importing = threading.Event()
class Slow:
    def find_spec(self, name, path, target=None):
        if name == "array":
            importing.set()
            time.sleep(1)
            print("found")
sys.meta_path.insert(0, Slow())
uses = snowmint.Segment("orders", allocate=lambda tag, count: (1, count + 1))
threading.Thread(target=uses.next_ids, args=(2,), daemon=True).start()
importing.wait()
"""


def test_an_import_for_a_daemon_thread_is_not_cut_off() -> None:
    """A thread that waits for the lock of all imports when CPython frees it can end the process."""
    command = [sys.executable, "-c", IMPORTING]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "found\n", "")
