"""Forks and spawns: no ID twice, over 10 million of them.

The workers write their IDs into files as 64-bit integers; numpy counts the distinct ones.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import snowmint
from snowmint import Segment, Snowflake

# IDs are minted in blocks of this size, so that so many do not take long.
BLOCK = 50_000


def write_ids(source: Snowflake | Segment, path: Path, blocks: int) -> None:
    """Mints by every way there is, and writes down what was minted."""
    buffer = np.empty(BLOCK, dtype=np.uint64)
    with path.open("wb") as file:
        for _ in range(blocks):
            source.fill(buffer)
            file.write(buffer.tobytes())
            file.write(source.next_ids(100).tobytes())
            file.write(np.array([next(source) for _ in range(100)], dtype=np.uint64).tobytes())


def distinct(directory: Path, expected: int) -> None:
    everything = np.concatenate([np.fromfile(path, np.uint64) for path in directory.iterdir()])
    assert everything.size == expected
    duplicates = everything.size - np.unique(everything).size
    assert duplicates == 0, f"{duplicates} duplicates"


def forked(work: Callable[[], None]) -> int:
    """Runs something in a forked child, as a prefork server does; returns its process ID."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
        finally:
            os._exit(status)
    return pid


def await_all(pids: list[int]) -> None:
    assert [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids] == [0] * len(pids)


def url_of(kind: str, directory: Path) -> str:
    if kind == "segment":
        snowmint.SqliteStore(directory / "ids.db", create=True).create_tag("orders", step=100_000)
        return f"segment+sqlite:{directory}/ids.db?tag=orders&wait_ms=60000"
    # A wide sequence, so that the layout's capacity is not what is tested.
    layout = "time:41,worker:6,sequence:16"
    return f"snowflake+sqlite:{directory}/ids.db?create=true&layout={layout}&wait_ms=60000"


@pytest.mark.parametrize("kind", ["snowflake", "segment"])
def test_prefork_as_gunicorn_does(kind: str, tmp_path: Path) -> None:
    """The master opens and uses the source, forks its workers, and mints on while they do."""
    source = snowmint.open(url_of(kind, tmp_path))
    (written := tmp_path / "ids").mkdir()
    write_ids(source, written / "before", 1)
    workers = [
        forked(lambda index=index: write_ids(source, written / f"{index}", 15))  # type: ignore[misc]
        for index in range(4)
    ]
    write_ids(source, written / "master", 15)
    await_all(workers)
    distinct(written, 76 * (BLOCK + 200))


@pytest.mark.parametrize("kind", ["snowflake", "segment"])
def test_prefork_as_celery_does(kind: str, tmp_path: Path) -> None:
    """A pool whose children are replaced after a few tasks, forked by a busy process."""
    source = snowmint.open(url_of(kind, tmp_path))
    (written := tmp_path / "ids").mkdir()
    source.next_id()
    over = threading.Event()
    busy: list[int] = []

    def mint() -> None:
        while not over.is_set():
            busy.extend(source.next_ids(100))
            over.wait(0.001)

    thread = threading.Thread(target=mint)
    thread.start()
    for generation in range(4):
        children = [
            forked(lambda name=f"{generation}-{index}": write_ids(source, written / name, 2))  # type: ignore[misc]
            for index in range(3)
        ]
        await_all(children)
    over.set()
    thread.join()
    np.array(busy, dtype=np.uint64).tofile(written / "parent")
    distinct(written, 24 * (BLOCK + 200) + len(busy))


def test_a_grandchild_is_no_copy_of_its_parent(tmp_path: Path) -> None:
    source = snowmint.open(url_of("snowflake", tmp_path))
    (written := tmp_path / "ids").mkdir()

    def child() -> None:
        write_ids(source, written / "child", 1)
        grandchild = forked(lambda: write_ids(source, written / "grandchild", 1))
        write_ids(source, written / "child again", 1)
        await_all([grandchild])

    await_all([forked(child)])
    write_ids(source, written / "parent", 1)
    distinct(written, 4 * (BLOCK + 200))


def spawned(url: str, path: Path, blocks: int) -> None:
    with snowmint.open(url) as source:
        write_ids(source, path, blocks)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method: str, tmp_path: Path) -> None:
    """Each process opens a source of its own on the same store."""
    url = url_of("segment", tmp_path)
    (written := tmp_path / "ids").mkdir()
    context = multiprocessing.get_context(method)
    processes = [
        context.Process(target=spawned, args=(url, written / f"{index}", 4)) for index in range(3)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    distinct(written, 12 * (BLOCK + 200))


def test_a_generator_is_inherited_by_multiprocessing_fork(tmp_path: Path) -> None:
    source = snowmint.open(url_of("segment", tmp_path))
    (written := tmp_path / "ids").mkdir()
    source.next_id()
    context = multiprocessing.get_context("fork")
    processes = [
        context.Process(target=write_ids, args=(source, written / f"{index}", 4))
        for index in range(3)
    ]
    for process in processes:
        process.start()
    write_ids(source, written / "parent", 4)
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    distinct(written, 16 * (BLOCK + 200))


def test_a_fixed_worker_id_fails_in_a_child(flake: Snowflake) -> None:
    flake.next_id()

    def child() -> None:
        try:
            flake.next_id()
        except snowmint.WorkerError as error:
            assert error.code == "forked"
        else:
            raise AssertionError("a child minted under its parent's worker ID")

    await_all([forked(child)])
    assert flake.next_id() > 0


def test_a_child_calls_the_allocator_itself() -> None:
    """The parent's keeper may be inside the callable when the process forks."""
    begun, parent = threading.Event(), os.getpid()

    def allocate(tag: str, count: int) -> tuple[int, int]:
        begun.set()
        start = 1_000 if os.getpid() == parent else 2_000
        return start, start + count

    orders = Segment("orders", allocate=allocate, step=10)
    first = orders.next_id()
    assert begun.is_set()
    pid = forked(lambda: check(orders.next_id() == 2_000))
    await_all([pid])
    assert first == 1_000


def check(holds: bool) -> None:
    assert holds


ENDS_IN_A_CHILD = """
import os, sys, threading, snowmint
called, done = threading.Event(), threading.Event()
def allocate(tag, count):
    called.set()
    done.wait()
    return 1, 1 + count
orders = snowmint.Segment("orders", allocate=allocate, wait_ms=0)
try:
    orders.next_id()
except snowmint.StallError:
    called.wait()
pid = os.fork()
if pid:
    status = os.waitpid(pid, 0)[1]
    done.set()
    sys.exit(os.waitstatus_to_exitcode(status))
"""


def test_a_child_of_a_process_that_is_calling_ends_by_itself() -> None:
    """It has none of its parent's calls to wait for: its exit handlers run, and it is gone."""
    # Newer Pythons warn of every fork of a process with threads.
    command = [sys.executable, "-W", "ignore", "-c", ENDS_IN_A_CHILD]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")


RESTORED = """
import os, sys, snowmint
os.chdir(sys.argv[1])
snowmint.SqliteStore("ids.db", create=True).create_tag("orders")
flake = snowmint.open("snowflake+sqlite:ids.db?layout=twitter")
orders = snowmint.open("segment+sqlite:ids.db?tag=orders")
fixed = snowmint.Snowflake(worker_id=7, state_directory=".")
worker_of = lambda id: flake.layout.decode(id).worker_id
first, number, fixed_id = flake.next_id(), orders.next_id(), fixed.next_id()
snowmint.on_restore()
assert worker_of(flake.next_id()) != worker_of(first)
assert orders.next_id() >= number + 1000
try:
    fixed.next_id()
except snowmint.WorkerError as error:
    assert error.code == "forked", error
else:
    raise AssertionError("it is in every image")
assert snowmint.Snowflake(worker_id=7, state_directory=".").next_id() > fixed_id
"""


def test_a_restored_image_starts_over(tmp_path: Path) -> None:
    """In a process of its own: the other tests' stores in memory would not survive it."""
    command = [sys.executable, "-c", RESTORED, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
