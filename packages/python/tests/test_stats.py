"""Statistics that sources give of themselves."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from conftest import Awaiting

import snowmint
from snowmint import Daily, MemoryStore, Segment, Sequences, Snowflake, UuidSource


def until(ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < deadline, "this never happens"
        time.sleep(0.001)


class Rows:
    """A range allocator that can be down."""

    def __init__(self) -> None:
        self.next = 1
        self.is_down = False

    def __call__(self, tag: str, count: int) -> tuple[int, int]:
        if self.is_down:
            raise OSError("no route\x07 to it")
        start, self.next = self.next, self.next + count
        return start, self.next

    def minted_from(self, orders: Segment) -> bool:
        try:
            return orders.next_id() > 0
        except snowmint.SnowmintError:
            return False


def test_a_segment_tells_its_ranges_its_pace_and_its_failure() -> None:
    rows = Rows()
    orders = Segment("orders", allocate=rows, step=snowmint.engine.Step(100), wait_ms=50)
    before = orders.stats()
    assert (before.kind, before.is_closed, before.buckets) == ("segment", False, ())
    assert before.worker_id is before.rate is before.runway_ms is before.last_failure is before.tag_next is None
    assert orders.next_ids(30)[-1] == 30
    until(lambda: len(orders.stats().buckets) == 2)
    stats = orders.stats()
    assert [(bucket.left, bucket.size) for bucket in stats.buckets] == [(70, 100), (100, 100)]
    assert stats.step == 100 and isinstance(stats.rate, float)
    assert stats.tag_next is not None and (stats.tag_next.tag, stats.tag_next.next) == ("orders", 201)
    assert repr(stats).endswith("tag_next=TagNext(tag='orders', next=201))")
    assert orders.stats().buckets == stats.buckets, "a question changes nothing"
    another = Segment("orders", allocate=Rows(), step=snowmint.engine.Step(100), wait_ms=50)
    assert another.stats() == before != stats
    assert "kind='segment', is_closed=False, buckets=(Bucket(left=70, size=100)" in repr(stats)

    rows.is_down = True
    until(lambda: not rows.minted_from(orders))
    failure = orders.stats().last_failure
    assert failure is not None and not failure.is_over
    assert failure.code == "store_unavailable" and "no route" in failure.message
    assert "\x07" not in failure.message and "is_over=False" in repr(failure)
    ago = datetime.now(timezone.utc) - failure.time
    assert timedelta(minutes=-10) < ago < timedelta(minutes=10)
    assert failure.time.timestamp() * 1000 == pytest.approx(failure.unix_ms, abs=0.1)
    rows.is_down = False
    until(lambda: rows.minted_from(orders))

    def is_over() -> bool:
        last = orders.stats().last_failure
        return last is not None and last.is_over

    until(is_over)
    orders.close()
    assert orders.stats().is_closed and not stats.is_closed


def test_a_generator_tells_its_lease_and_its_time() -> None:
    with Snowflake(store=MemoryStore()) as flake:
        worker_id = flake.layout.decode(flake.next_id()).worker_id
        stats = flake.stats()
        assert (stats.kind, stats.worker_id, stats.rollbacks) == ("snowflake", worker_id, 0)
        assert stats.reserved_ms is not None and stats.lease_age_ms is not None
        assert stats.clock_offset_ms is not None and stats.runway_ms is not None
        assert stats.reserve_ms is not None and f"reserve_ms={stats.reserve_ms}" in repr(stats)
        assert (stats.buckets, stats.step, stats.rate, stats.last_failure) == ((), None, None, None)
        assert f"worker_id={worker_id}" in repr(stats) and "None" not in repr(stats)
        # More than the present millisecond has.
        flake.next_ids(400_000)
        assert (flake.stats().borrowed_ms or 0) > 0
    closed = flake.stats()
    assert (closed.is_closed, closed.worker_id) == (True, None)


def test_a_fixed_worker_id_tells_them_too(flake: Snowflake) -> None:
    flake.next_id()
    stats = flake.stats()
    assert (stats.worker_id, stats.reserve_ms, stats.last_failure) == (7, None, None) and stats.reserved_ms is not None


def test_the_other_sources_tell_what_applies(store: snowmint.Store) -> None:
    daily = Daily("invoice", store=store, step=10)
    daily.next_id()
    assert daily.stats().kind == "daily" and daily.stats().buckets[0].size == 10
    chat = Sequences("chat", store=store)
    chat.next(1)
    assert chat.stats().kind == "sequences" and chat.stats().buckets == ()
    chat.close()
    assert chat.stats().is_closed
    assert repr(UuidSource(4).stats()) == "Stats(kind='uuid', is_closed=False)"


def test_a_ring_tells_what_is_ready_before_its_source(tmp_path: Path) -> None:
    with snowmint.open(f"snowflake:?worker_id=7&state={tmp_path}&ring=64") as ring:
        ring.next_id()
        stats = ring.stats()
        assert (stats.kind, stats.worker_id) == ("snowflake", 7)
        assert [bucket.size for bucket in stats.buckets] == [64]
        assert ring.layout == snowmint.Layout.TWITTER
    assert ring.stats().is_closed
    with snowmint.open(f"daily+sqlite:{tmp_path}/ids.db?create=true&tag=a&ring=64") as numbers:
        assert numbers.layout is None


def test_asking_waits_for_no_store(awaiting: Awaiting) -> None:
    assert awaiting.orders.stats().buckets == () and not awaiting.ids
    assert awaiting.answered() == [1]


def test_stats_are_as_they_are() -> None:
    stats: Any = UuidSource(7).stats()
    with pytest.raises(AttributeError):
        stats.kind = "other"
    with pytest.raises(TypeError):
        type(stats)()
