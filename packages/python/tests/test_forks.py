"""No forked child waits for a lock that a thread of its parent held.

Each test is a process of its own, in which whatever is made at first use is made at first use. A
child that does not end by itself is ended, and fails the test.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHILDREN = """
import os, signal, sys, time
def fork(work):
    pid = os.fork()
    if pid:
        return pid
    try:
        work()
        os._exit(0)
    except BaseException as error:
        print(repr(error), file=sys.stderr, flush=True)
    os._exit(1)
def await_child(pid):
    deadline = time.monotonic() + 240
    while (ended := os.waitpid(pid, os.WNOHANG)) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            sys.exit(f"child {pid} hangs")
        time.sleep(0.001)
    if ended[1]:
        sys.exit(f"child {pid} ended with status {ended[1]}")
"""


def run(script: str, *arguments: str) -> None:
    # Newer Pythons warn of every fork of a process with threads.
    command = [sys.executable, "-W", "ignore", "-c", CHILDREN + script, *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert (ended.returncode, ended.stderr) == (0, "")


IMPORTING = """
import builtins, threading, snowmint
layout = snowmint.Layout.TWITTER
works = {
    "array": lambda: snowmint.MemoryStore().create_tag("a") or
        snowmint.Segment("a", allocate=lambda tag, count: (1, 1 + count)).next_ids(2),
    "uuid": lambda: snowmint.UuidSource(7).next_uuid(),
    "datetime": lambda: layout.decode(1541815603606036480).time,
    "snowmint._errors": lambda: layout_of("nonsense"),
}
def layout_of(text):
    try:
        snowmint.Layout(text)
    except snowmint.LayoutError:
        pass
name = sys.argv[1]
work, import_ = works[name], builtins.__import__
importing, over = threading.Event(), threading.Event()
def slow(module, *arguments):
    if module == name and threading.current_thread() is thread:
        importing.set()
        over.wait()
    return import_(module, *arguments)
def run():
    work()
    importing.set()
thread = threading.Thread(target=run)
builtins.__import__ = slow
thread.start()
importing.wait()
await_child(fork(work))
over.set()
thread.join()
"""


@pytest.mark.parametrize("module", ["array", "uuid", "datetime", "snowmint._errors"])
def test_a_child_of_a_process_that_is_importing(module: str) -> None:
    """A thread of the parent is in the middle of an import that happens at first use."""
    run(IMPORTING, module)


FIXED = """
import snowmint
flake = snowmint.Snowflake(worker_id=7, state_directory=sys.argv[1])
flake.next_id()
def work():
    for call in (flake.next_id, flake.try_next_id):
        try:
            call()
        except snowmint.WorkerError as error:
            assert error.code == "forked"
        else:
            raise AssertionError
await_child(fork(work))
assert flake.try_next_id() or flake.next_id()
"""


def test_a_child_is_told_that_a_fixed_worker_id_is_its_parents(tmp_path: Path) -> None:
    run(FIXED, str(tmp_path))


STORM = """
import array, threading, snowmint
sys.setswitchinterval(1e-6)  # threads wait for the interpreter's lock wherever they can
kind, directory = sys.argv[1:]
store = snowmint.SqliteStore(f"{directory}/ids.db", create=True)
if kind == "segment":
    store.create_tag("orders")
urls = {
    "segment": f"segment+sqlite:{directory}/ids.db?tag=orders&wait_ms=240000",
    "daily": f"daily+sqlite:{directory}/ids.db?tag=orders&digits=9&wait_ms=240000",
    "snowflake": f"snowflake+sqlite:{directory}/ids.db"
        "?layout=time:41,worker:12,sequence:10&wait_ms=240000",
}
source = snowmint.open(urls[kind])
def mint():
    for nonsense in (-1, 0, None, "1"):
        try:
            source.next_ids(nonsense)
        except (TypeError, snowmint.ParameterError):
            pass
    source.next_ids(100)
    source.fill(array.array("Q", bytes(8 * 500)))
    source.next_id()
over = threading.Event()
def mint_on():
    while not over.is_set():
        mint()
def child():
    mint()
    await_child(fork(mint))
threads = [threading.Thread(target=mint_on) for _ in range(3)]
try:
    for thread in threads:
        thread.start()
    for _ in range(5):
        for pid in [fork(mint) for _ in range(5)] + [fork(child)]:
            await_child(pid)
finally:
    over.set()
for thread in threads:
    thread.join()
"""


@pytest.mark.parametrize("kind", ["segment", "daily", "snowflake"])
def test_children_of_a_process_that_mints(kind: str, tmp_path: Path) -> None:
    """Several at a time, some with children of their own, while three threads mint."""
    for storm in range(5):
        (directory := tmp_path / str(storm)).mkdir()
        run(STORM, kind, str(directory))
