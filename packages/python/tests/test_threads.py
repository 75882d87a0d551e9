"""Threads, event loops, signals and the end of the interpreter."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import snowmint
from snowmint import MemoryStore, Segment, Snowflake


def in_threads(count: int, work: object) -> None:
    failures: list[BaseException] = []

    def guarded(index: int) -> None:
        try:
            work(index)  # type: ignore[operator]
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures


def test_threads_share_a_generator(flake: Snowflake, store: snowmint.Store) -> None:
    segment = Segment("orders", store=store)
    for source in (flake, segment):
        minted: list[list[int]] = [[] for _ in range(8)]

        def mint(index: int) -> None:
            for _ in range(50):
                minted[index] += [next(source), source.next_id(), *source.next_ids(100)]

        in_threads(8, mint)
        assert all(a < b for ids in minted for a, b in itertools.pairwise(ids))
        assert len(set(itertools.chain(*minted))) == 8 * 50 * 102


def test_threads_share_sequences() -> None:
    chat = snowmint.Sequences("chat", store=MemoryStore(), keys_per_section=2)
    minted: list[list[tuple[int, int]]] = [[] for _ in range(4)]

    def mint(index: int) -> None:
        minted[index] += [(key, chat.next(key)) for _ in range(200) for key in range(5)]

    in_threads(4, mint)
    everything = list(itertools.chain(*minted))
    assert len(set(everything)) == len(everything) == 4 * 200 * 5


def test_closing_while_others_mint(store: snowmint.Store) -> None:
    segment = Segment("orders", store=store)
    begun = threading.Barrier(5)

    def mint(index: int) -> None:
        if index == 0:
            begun.wait()
            segment.close()
            return
        begun.wait()
        with pytest.raises(snowmint.ClosedError):
            while True:
                segment.next_id()

    in_threads(5, mint)


def test_the_event_loop_goes_on_while_an_id_is_waited_for() -> None:
    """The allocator waits for the event loop, which waits for the ID."""
    turned = threading.Event()
    starts = itertools.count(1, 1_000_000)

    def allocate(tag: str, count: int) -> tuple[int, int]:
        assert turned.wait(60)
        start = next(starts)
        return start, start + count

    async def main() -> list[int]:
        orders = Segment("orders", allocate=allocate, wait_ms=60_000)
        waiting = [asyncio.create_task(orders.next_id_async()) for _ in range(3)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        turned.set()
        ids = [await task for task in waiting]
        ids += await orders.next_ids_async(5)
        ids.append(await orders.next_id_async())
        return ids

    assert sorted(asyncio.run(main())) == list(range(1, 10))


def test_coroutines_of_every_source(flake: Snowflake) -> None:
    async def main() -> None:
        ids = await asyncio.gather(*(flake.next_id_async() for _ in range(1000)))
        assert len(set(ids)) == 1000
        chat = snowmint.Sequences("chat", store=MemoryStore())
        assert [await chat.next_async(1), await chat.next_async(1)] == [1, 2]
        flake.close()
        with pytest.raises(snowmint.ClosedError):
            await flake.next_id_async()
        with pytest.raises(TypeError):
            await chat.next_async(1.5)  # type: ignore[arg-type]

    asyncio.run(main())


def test_a_signal_handler_ends_a_wait() -> None:
    """The wait would last for an hour; the handler of the main thread raises."""
    called = threading.Event()
    done = threading.Event()

    class Interrupted(Exception):
        pass

    def handler(number: int, frame: object) -> None:
        raise Interrupted

    def allocate(tag: str, count: int) -> tuple[int, int]:
        called.set()
        done.wait(60)
        return 1, 1 + count

    orders = Segment("orders", allocate=allocate, wait_ms=3_600_000)
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        def interrupt() -> None:
            called.wait(60)
            os.kill(os.getpid(), signal.SIGUSR1)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(Interrupted):
            orders.next_id()
        thread.join()
    finally:
        done.set()
        signal.signal(signal.SIGUSR1, before)
    assert orders.next_id() == 1


def test_a_signal_handler_ends_an_opening() -> None:
    """The server never answers: the client still waits for it when the handler has raised."""

    class Interrupted(Exception):
        pass

    def handler(number: int, frame: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        for opens in (snowmint.open, snowmint.Snowflake.open, snowmint.Store.open):
            with socket.create_server(("127.0.0.1", 0)) as server:
                asked: list[socket.socket] = []

                def answer() -> None:
                    asked.append(server.accept()[0])
                    asked[0].recv(1)
                    os.kill(os.getpid(), signal.SIGUSR1)

                thread = threading.Thread(target=answer)
                thread.start()
                kind = "" if opens == snowmint.Store.open else "snowflake+"
                host, port = server.getsockname()
                with pytest.raises(Interrupted):
                    opens(f"{kind}redis://{host}:{port}/0")
                thread.join()
                with asked[0] as client:
                    client.setblocking(False)
                    with pytest.raises(BlockingIOError):
                        while client.recv(4096):
                            pass
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_signal_handler_may_mint_while_its_thread_waits() -> None:
    called, minted = threading.Event(), threading.Event()
    ids: list[int] = []
    other = Segment("other", allocate=lambda tag, count: (1, 1 + count))

    def handler(number: int, frame: object) -> None:
        ids.append(other.next_id())
        minted.set()

    def allocate(tag: str, count: int) -> tuple[int, int]:
        called.set()
        minted.wait(60)
        return 1, 1 + count

    def interrupt() -> None:
        called.wait(60)
        os.kill(os.getpid(), signal.SIGUSR1)

    orders = Segment("orders", allocate=allocate, wait_ms=60_000)
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        thread = threading.Thread(target=interrupt)
        thread.start()
        assert orders.next_id() == 1
        thread.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert ids == [1]


ENDINGS = {
    "open": "orders.next_id()",
    "raising": "orders.next_id(); raise SystemExit(7)",
    "busy": "orders.try_next_id(); orders.next_id_within(1)",
    "threads": (
        "import threading\n"
        "for _ in range(3): threading.Thread(target=lambda: list(orders.next_ids(5000))).start()"
    ),
    "daemon": (
        "import threading\n"
        "def run():\n  while True: orders.next_id()\n"
        "threading.Thread(target=run, daemon=True).start()"
    ),
    "hooks": "import atexit\natexit.register(lambda: orders.next_ids(3000))",
}
SCRIPT = """
import time, snowmint
state = [1]
def allocate(tag, count):
    time.sleep(0.002)
    state[0] += count
    return state[0] - count, state[0]
orders = snowmint.Segment("orders", allocate=allocate, step=7, wait_ms=2000)
try:
    {ending}
except snowmint.StallError:
    pass
"""


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_interpreter_ends_with_an_open_source(ending: str) -> None:
    body = SCRIPT.replace("{ending}", ENDINGS[ending].replace("\n", "\n    "))
    for _ in range(10):
        ended = subprocess.run(
            [sys.executable, "-c", body], capture_output=True, text=True, timeout=60
        )
        expected = 7 if ending == "raising" else 0
        assert (ended.returncode, ended.stderr) == (expected, ""), ended


def test_a_leased_generator_may_be_left_open(tmp_path: Path) -> None:
    script = (
        "import snowmint, sys; f = snowmint.open(f'snowflake+sqlite:{sys.argv[1]}?create=true'); f.next_id()"
    )
    for _ in range(3):
        command = [sys.executable, "-c", script, str(tmp_path / "ids.db")]
        subprocess.run(command, check=True, timeout=60)
