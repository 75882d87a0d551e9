"""Ranges and worker IDs from a source of the user's own."""

from __future__ import annotations

import gc
import inspect
import itertools
import threading
import time
import weakref
from typing import Any

import pytest
from conftest import Awaiting

import snowmint
from snowmint import Lease, LeaseRequest, Segment, Snowflake


class Rows:
    """A range allocator that does what it is told, then works."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.next = 1
        self.asked: list[tuple[str, int]] = []

    def __call__(self, tag: str, count: int) -> Any:
        self.asked.append((tag, count))
        if self.answers:
            answer = self.answers.pop(0)
            if isinstance(answer, BaseException):
                raise answer
            return answer
        start, self.next = self.next, self.next + count
        return start, self.next


def test_a_callable_allocates_ranges() -> None:
    rows = Rows()
    with Segment("orders", allocate=rows, step=10) as orders:
        assert list(orders.next_ids(100)) == list(range(1, 101))
    assert {tag for tag, _ in rows.asked} == {"orders"}


def test_a_range_may_have_a_stride_or_be_a_range() -> None:
    rows = Rows((5, 11, 3), snowmint.engine.Range(100, 102))
    orders = Segment("orders", allocate=rows)
    assert list(itertools.islice(orders, 4)) == [5, 8, 100, 101]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (OSError("no route"), "store_unavailable"),
        (KeyboardInterrupt(), "store_unavailable"),
        (None, "invalid_range"),
        ("ab", "invalid_range"),
        ((1,), "invalid_range"),
        ((1, 2.0), "invalid_range"),
        ((-5, 5), "invalid_range"),
        ((5, 5), "invalid_range"),
        ((9, 5), "invalid_range"),
        ((0, 2**64), "invalid_range"),
        ((1, 10, 0), "invalid_range"),
    ],
    ids=repr,
)
def test_it_goes_on_after_a_wrong_answer(answer: Any, code: str) -> None:
    orders = Segment("orders", allocate=Rows(answer), step=10, wait_ms=0)
    codes = set()
    while True:
        try:
            assert orders.next_id() == 1
            break
        except snowmint.SnowmintError as error:
            codes.add(error.code)
            if isinstance(answer, BaseException) and error.code == code:
                assert error.__cause__ is answer
        time.sleep(0.001)
    assert code in codes and codes <= {code, "wait_timeout"}


class Numbered(Exception):
    """An exception of somebody else, who numbers exceptions, too."""

    number = snowmint.error_codes()[0].number


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (snowmint.SegmentError("none left", "tag_exhausted", 404), "tag_exhausted", "none left"),
        (snowmint.SnowmintError("a", "mine", 1_000_000), "store_unavailable", "SnowmintError: a"),
        (snowmint.SnowmintError("a", "mine", -1), "store_unavailable", "SnowmintError: a"),
        (KeyError("orders"), "store_unavailable", "KeyError: 'orders'"),
        (Numbered(), "store_unavailable", "Numbered"),
    ],
    ids=repr,
)
def test_only_errors_of_snowmint_have_its_codes(raised: Exception, code: str, said: str) -> None:
    def allocate(tag: str, count: int) -> Any:
        raise raised

    orders = Segment("orders", allocate=allocate, wait_ms=0)
    with pytest.raises(snowmint.SnowmintError) as error:
        while True:
            try:
                orders.next_id()
            except snowmint.StallError:
                time.sleep(0.001)
    assert error.value.code == code and error.value.__cause__ is raised
    prefix = "the store's allocate failed: " if code == "store_unavailable" else ""
    assert str(error.value) == prefix + said


async def never_awaited(tag: str, count: int) -> tuple[int, int]:
    return 1, 1 + count


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("allocate", "said"),
    [
        (never_awaited, "returned a coroutine, as no `async def` may: return a tuple"),
        (lambda tag, count: [1, 11], r"returned \[1, 11\]: return a tuple \(start, end\) of int"),
    ],
)
def test_an_answer_of_another_shape_is_told_the_right_one(allocate: Any, said: str) -> None:
    orders = Segment("orders", allocate=allocate, wait_ms=0)
    with pytest.raises(snowmint.SegmentError, match=said):
        while True:
            try:
                orders.next_id()
            except snowmint.StallError:
                time.sleep(0.001)


def test_a_range_below_the_last_one_ends_the_source() -> None:
    """Whoever has what lies below may have more: it asks no more, until it is opened anew."""
    rows = Rows((100, 110), (50, 60), (200, 210), (210, 220))
    orders = Segment("orders", allocate=rows, wait_ms=0)
    ids, code = [], ""
    while code != "range_regressed":
        try:
            ids.append(orders.next_id())
        except snowmint.SnowmintError as error:
            code = error.code
            time.sleep(0.001)
    assert ids == list(range(100, 100 + len(ids))) and len(ids) <= 10
    with pytest.raises(snowmint.SegmentError) as raised:
        orders.next_id_within(500)
    assert raised.value.code == "range_regressed" and len(rows.asked) == 2
    assert Segment("orders", allocate=rows).next_id() == 200


def test_the_lock_of_the_interpreter_is_free_while_a_store_is_called(awaiting: Awaiting) -> None:
    """One thread waits for the allocator, which waits for another thread to make progress."""
    assert sum(range(100_000)) and not awaiting.ids
    assert awaiting.answered() == [1]


class Desk:
    """A worker store of the user's own, in memory."""

    def __init__(self) -> None:
        self.held: dict[int, Lease] = {}
        self.reserved: dict[int, int] = {}
        self.renewed = threading.Event()
        self.released = 0

    def acquire(self, request: LeaseRequest) -> Lease:
        assert (request.max_worker_id, len(request.token)) == (1023, 16)
        worker_id = next(id for id in range(1024) if id not in self.held and id != request.avoid)
        return self.grant(request, worker_id, request.reserve_ms, 1, request.owner)

    def grant(self, of: Any, worker_id: int, reserve_ms: int, epoch: int, owner: str) -> Lease:
        now = time.time_ns() // 1_000_000
        floor = max(now, self.reserved.get(worker_id, 0))
        token = of if isinstance(of, bytes) else of.token
        lease = Lease(
            realm="mine",
            worker_id=worker_id,
            epoch=epoch,
            owner=owner,
            token=token,
            floor_ms=floor,
            reserved_ms=now + reserve_ms,
            now_ms=now,
        )
        self.held[worker_id], self.reserved[worker_id] = lease, now + reserve_ms
        return lease

    def renew(self, lease: Lease, token: bytes, reserve_ms: int) -> Lease:
        self.renewed.set()
        now = time.time_ns() // 1_000_000
        self.reserved[lease.worker_id] = now + reserve_ms
        return Lease(
            realm=lease.realm,
            worker_id=lease.worker_id,
            epoch=lease.epoch,
            owner=lease.owner,
            token=token,
            floor_ms=lease.floor_ms,
            reserved_ms=now + reserve_ms,
            now_ms=now,
        )

    def release(self, lease: Lease) -> None:
        self.released += 1
        del self.held[lease.worker_id]


def test_a_worker_store_of_the_users_own() -> None:
    desk = Desk()
    with Snowflake(store=desk, reserve_ms=100, max_ahead_ms=0) as a, Snowflake(store=desk) as b:
        ids = [a.next_id(), b.next_id()]
        assert [a.layout.decode(id).worker_id for id in ids] == [0, 1]
        assert desk.renewed.wait(60)
        assert a.next_id() > ids[0]
        # The end of the block waits for nothing; these do.
        a.close(60_000)
        b.close(wait_ms=60_000)
    assert desk.released == 2 and not desk.held


def test_an_exception_of_a_worker_store_is_the_cause() -> None:
    class Broken(Desk):
        def acquire(self, request: LeaseRequest) -> Lease:
            raise LookupError("no desk")

    with pytest.raises(snowmint.StoreError) as raised:
        Snowflake(store=Broken())
    assert raised.value.code == "store_unavailable"
    assert isinstance(raised.value.__cause__, LookupError)


def test_a_lease_that_is_lost_is_said_by_its_code_alone() -> None:
    class Lost(Desk):
        def renew(self, lease: Lease, token: bytes, reserve_ms: int) -> Lease:
            self.renewed.set()
            raise snowmint.WorkerError("another has it", "lease_lost")

    said = 'raise WorkerError("another has it", "lease_lost")'
    assert said in (inspect.getdoc(Lease) or "")
    desk = Lost()
    with Snowflake(store=desk, reserve_ms=100, max_ahead_ms=0) as flake:
        assert flake.layout.decode(flake.next_id()).worker_id == 0
        deadline = time.monotonic() + 60
        while flake.layout.decode(flake.next_id()).worker_id == 0:
            assert time.monotonic() < deadline
        assert desk.renewed.is_set()


def test_no_free_worker_id_is_said_by_its_code_alone() -> None:
    class Full(Desk):
        def acquire(self, request: LeaseRequest) -> Lease:
            raise snowmint.WorkerError("all are held", "workers_exhausted")

    with pytest.raises(snowmint.WorkerError, match="all are held") as raised:
        Snowflake(store=Full())
    assert raised.value.code == "workers_exhausted"


def test_an_exception_of_renew_is_the_cause_of_a_used_up_lease() -> None:
    class Failing(Desk):
        def renew(self, lease: Lease, token: bytes, reserve_ms: int) -> Lease:
            raise LookupError("no desk")

    def failure(flake: Snowflake) -> snowmint.SnowmintError | None:
        try:
            flake.next_id()
        except snowmint.SnowmintError as error:
            return error
        return None

    with Snowflake(store=Failing(), reserve_ms=100, max_ahead_ms=0, wait_ms=0) as flake:
        failures = map(failure, itertools.repeat(flake))
        used_up = next(it for it in failures if it is not None and it.code == "lease_unavailable")
    assert isinstance(used_up.__cause__, LookupError)


@pytest.mark.parametrize(
    "nonsense",
    [
        None,
        7,
        {"worker_id": 1024},
        {"reserved_ms": 0},
        {"floor_ms": 2, "reserved_ms": 1},
        {"now_ms": 0},
    ],
    ids=repr,
)
def test_a_worker_store_that_returns_nonsense(nonsense: Any) -> None:
    class Silly(Desk):
        def acquire(self, request: LeaseRequest) -> Any:
            assert 0 < request.reach_ms <= request.reserve_ms * 3 // 4
            lease = super().acquire(request)
            return changed(lease, **nonsense) if isinstance(nonsense, dict) else nonsense

    with pytest.raises(snowmint.StoreError) as raised:
        Snowflake(store=Silly())
    assert raised.value.code == "invalid_answer"
    assert isinstance(raised.value.__cause__, TypeError) is not isinstance(nonsense, dict)


def changed(lease: Lease, **changes: Any) -> Lease:
    names = "realm worker_id epoch owner token floor_ms reserved_ms now_ms".split()
    return Lease(**{name: getattr(lease, name) for name in names} | changes)


def test_a_source_and_its_store_may_hold_each_other() -> None:
    """The garbage collector finds the circle, and the source's thread ends with it."""

    class Orders:
        def __init__(self) -> None:
            self.rows = Rows()
            self.segment = Segment("orders", allocate=self.allocate)

        def allocate(self, tag: str, count: int) -> Any:
            return self.rows(tag, count)

    class OwnDesk(Desk):
        def __init__(self) -> None:
            super().__init__()
            self.flake = Snowflake(store=self)

    circles: list[Any] = [Orders(), OwnDesk()]
    assert circles[0].segment.next_id() == 1 and circles[1].flake.next_id() > 0
    gone = [weakref.ref(circle) for circle in circles]
    circles.clear()
    for _ in range(1000):
        gc.collect()
        if not any(ref() for ref in gone):
            break
        time.sleep(0.001)  # a thread may be in the middle of a call
    assert [ref() for ref in gone] == [None, None]


@pytest.mark.parametrize("options", [{"reserve_ms": 1}, {"worker_id": 7}])
def test_a_store_is_let_go_at_once_where_opening_fails(options: dict[str, Any]) -> None:
    desk = Desk()
    gone = weakref.ref(desk)
    with pytest.raises(snowmint.SnowmintError):
        Snowflake(store=desk, **options)
    del desk
    gc.collect()
    assert gone() is None
