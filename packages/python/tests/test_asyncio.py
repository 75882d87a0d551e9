"""Coroutines: no thread waits for them, their bound counts from the await, and a day's stay together."""

from __future__ import annotations

import asyncio
import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import snowmint
from snowmint import MemoryStore, Segment

HOUR_MS = 3_600_000


class Refusing(ThreadPoolExecutor):
    """The event loop's own threads, which are the application's."""

    def submit(self, *arguments: Any, **keywords: Any) -> Any:
        raise AssertionError("a thread of the application's was taken")


def run(main: Any) -> Any:
    async def alone() -> Any:
        asyncio.get_running_loop().set_default_executor(Refusing())
        return await main

    return asyncio.run(alone())


def down(tag: str, count: int) -> tuple[int, int]:
    raise OSError("no route to it")


def test_any_number_of_tasks_wait_for_a_store_that_is_down() -> None:
    orders = Segment("orders", allocate=down, wait_ms=HOUR_MS)

    async def main() -> list[Any]:
        # On a busy machine the first ones give up before the store was asked.
        code = None
        while code != "store_unavailable":
            with pytest.raises(snowmint.SnowmintError) as failed:
                await orders.next_id_async(wait_ms=50)
            code = failed.value.code
        waits = [orders.next_id_async(wait_ms=50) for _ in range(300)]
        waits += [orders.next_ids_async(2, wait_ms=50) for _ in range(3)]
        return await asyncio.gather(*waits, return_exceptions=True)

    failures = run(main())
    assert len(failures) == 303
    assert {(type(failure), failure.code) for failure in failures} == {
        (snowmint.StoreError, "store_unavailable")
    }


def test_they_go_on_when_it_is_back() -> None:
    starts, is_down = itertools.count(1, 1_000_000), [True]

    def allocate(tag: str, count: int) -> tuple[int, int]:
        if is_down[0]:
            raise OSError
        start = next(starts)
        return start, start + count

    async def main() -> list[int]:
        orders = Segment("orders", allocate=allocate, wait_ms=HOUR_MS)
        waiting = [asyncio.create_task(orders.next_id_async()) for _ in range(30)]
        blocks = asyncio.create_task(orders.next_ids_async(5000))
        while orders.stats().last_failure is None:
            await asyncio.sleep(0.001)
        is_down[0] = False
        return [await task for task in waiting] + list(await blocks)

    ids = run(main())
    assert len(set(ids)) == 5030 and ids[30:] == sorted(ids[30:])


def test_a_task_that_is_cancelled_waits_no_more() -> None:
    orders = Segment("orders", allocate=down, wait_ms=HOUR_MS)

    async def main() -> None:
        task = asyncio.create_task(orders.next_id_async())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main())


def test_sequences_take_no_thread_either() -> None:
    async def main() -> None:
        async with snowmint.Sequences("chat", store=MemoryStore()) as chat:
            numbers = await asyncio.gather(*(chat.next_async(7) for _ in range(100)))
            assert sorted(numbers) == list(range(1, 101))
            assert await chat.next_async(7, wait_ms=0) == 101
        with pytest.raises(snowmint.ClosedError):
            await chat.next_async(7)

    run(main())


def test_errors_that_no_wait_mends_come_at_once() -> None:
    store = MemoryStore()
    store.create_tag("small", max=3)
    orders = Segment("small", store=store, wait_ms=HOUR_MS)

    async def main() -> None:
        assert list(await orders.next_ids_async(3)) == [1, 2, 3]
        with pytest.raises(snowmint.SegmentError) as ended:
            await orders.next_id_async()
        assert ended.value.code == "tag_exhausted"

    run(main())


def test_many_numbers_of_a_day() -> None:
    daily = snowmint.Daily("invoice", store=MemoryStore(), digits=4, step=100)

    async def main() -> None:
        numbers = await daily.next_ids_async(250)
        assert len(numbers) == 250 and {n // 10_000 for n in numbers} == {numbers[0] // 10_000}
        assert [n - numbers[0] for n in numbers] == list(range(250))
        with pytest.raises(snowmint.ParameterError) as refused:
            await daily.next_ids_async(10_000)
        assert refused.value.code == "count_out_of_range"

    run(main())


def test_arguments_of_coroutines(flake: snowmint.Snowflake) -> None:
    async def main() -> None:
        for count in (0, -1, snowmint.MAX_COUNT + 1, 2**64):
            with pytest.raises(snowmint.ParameterError) as refused:
                await flake.next_ids_async(count)
            assert refused.value.code == "count_out_of_range"
        with pytest.raises(snowmint.ParameterError, match="^5000000 IDs are never to be had"):
            await flake.next_ids_async(5_000_000, wait_ms=0)
        with pytest.raises(snowmint.ParameterError, match="wait_ms is out of range"):
            await flake.next_id_async(wait_ms=-1)
        ids = await flake.next_ids_async(200_000)
        assert len(set(ids)) == 200_000

    run(main())


def test_every_source_is_a_block_and_ends_with_a_bound(tmp_path: Path) -> None:
    urls = [
        f"snowflake:?worker_id=7&state={tmp_path}",
        f"daily+sqlite:{tmp_path}/ids.db?create=true&tag=invoices",
        f"sequences+sqlite:{tmp_path}/ids.db?tag=chat",
        "uuid:?version=7",
        f"snowflake:?worker_id=8&state={tmp_path}&ring=16",
    ]

    async def main() -> None:
        sources: list[Any] = [snowmint.open(url) for url in urls]
        sources.append(Segment("orders", allocate=lambda tag, count: (1, 1 + count)))
        for source in sources:
            async with source as same:
                assert same is source
            source.close(wait_ms=60_000)
            source.close(0)
            with pytest.raises(snowmint.ParameterError, match="wait_ms is out of range"):
                source.close(wait_ms=-1)

    run(main())
