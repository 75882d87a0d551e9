"""Plain values pickle and copy; objects that issue, reserve or have keys do not."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import snowmint
from snowmint import Layout, Parts, engine

# Sources, stores and keys.
NOT_PICKLED = {
    snowmint.Daily,
    snowmint.MemoryStore,
    snowmint.PublicIdKeys,
    snowmint.PublicIds,
    snowmint.Ring,
    snowmint.Segment,
    snowmint.Sequences,
    snowmint.Snowflake,
    snowmint.SqliteStore,
    snowmint.Store,
    engine.SegmentBuffer,
    engine.Snowflake,
}


def lease_request() -> snowmint.LeaseRequest:
    """As a store of the user's is asked with one."""
    asked: list[snowmint.LeaseRequest] = []

    class Refusing:
        def acquire(self, request: snowmint.LeaseRequest) -> snowmint.Lease:
            asked.append(request)
            raise snowmint.WorkerError("all are held", "workers_exhausted")

        def renew(self, lease: snowmint.Lease, token: bytes, reserve_ms: int) -> snowmint.Lease:
            raise NotImplementedError

        def release(self, lease: snowmint.Lease) -> None:
            raise NotImplementedError

    with pytest.raises(snowmint.WorkerError):
        snowmint.Snowflake(store=Refusing(), wait_ms=0)
    return asked[0]


def values(directory: Path) -> list[Any]:
    """Returns values of every class that pickles, one for each case that it tells apart."""
    store = snowmint.SqliteStore(directory / "ids.db", create=True)
    store.create_tag("orders", max=10)
    own = Layout("constant:2=1,time:41,worker:10,sequence:11", epoch=-5, tick_ms=10)
    said = [own, *own.fields, *(own.fits(bits) for bits in (64, 60, 20)), Parts(time=1, worker_id=2)]
    said += snowmint.guess(175928847299117063, beside="guild_id")
    said += [Layout.TWITTER.decode_many([1541815603606036480, 1])]
    with snowmint.Snowflake(store=store) as flake, snowmint.Segment("orders", store=store) as orders:
        flake.next_id(), orders.next_id()
        stats = [flake.stats(), orders.stats(), snowmint.UuidSource(7).stats()]
        said += [*stats, *stats[1].buckets, stats[1].tag_next, *store.tags(), *store.workers()]
        with pytest.raises(snowmint.SegmentError):
            orders.next_ids(20)
        said += [orders.stats(), orders.stats().last_failure]
    said += [snowmint.migrate(f"sqlite:{directory}/other.db", dry_run=True)]
    said += [*Layout.presets(), *snowmint.text_forms(), *snowmint.error_codes()]
    lease: Any = {"realm": "r", "owner": "o", "token": bytes(range(16)), "now_ms": 5}
    said += [snowmint.Lease(worker_id=1, epoch=2, floor_ms=3, reserved_ms=4, **lease)]
    said += [lease_request()]
    said += [engine.Range(1, 10, 3), engine.Step(5, 9), *engine.ClockPolicy.all().values()]
    said += [engine.Prefetch.double_bucket(20), engine.Prefetch.chain(300)]
    start = engine.SequenceStart
    return [*said, start.zero(), start.vibrate(3), start.random(below=9, seed=2**64 - 1), start.rotate()]


def test_all_plain_values_pickle_and_copy(tmp_path: Path) -> None:
    said = values(tmp_path)
    for value in said:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(value, protocol))
            assert again == value and repr(again) == repr(value)
        assert copy.copy(value) == value == copy.deepcopy(value)
        # Arrays are not hashable, and rates hardly meant to be.
        if type(value) not in (snowmint.Stats, snowmint.Columns):
            assert hash(pickle.loads(pickle.dumps(value))) == hash(value)
    # A UUID source's copy makes other UUIDs, so that it is no equal.
    told = {type(value) for value in said} | {snowmint.UuidSource}
    things = [getattr(module, name) for module in (snowmint, engine) for name in module.__all__]
    classes = {thing for thing in things if isinstance(thing, type)}
    errors = {one for one in classes if issubclass(one, Exception)}
    assert classes - errors == told | NOT_PICKLED and not told & NOT_PICKLED


def test_a_ring_and_a_store_do_not_pickle(tmp_path: Path) -> None:
    with snowmint.open(f"snowflake:?worker_id=7&ring=64&state={tmp_path}") as ring:
        assert type(ring) is snowmint.Ring
        for thing in (ring, snowmint.MemoryStore()):
            for copied in (pickle.dumps, copy.copy, copy.deepcopy):
                with pytest.raises(TypeError, match="cannot be pickled: a copy would repeat its IDs"):
                    copied(thing)


def test_different_values_are_not_equal() -> None:
    for rows in (Layout.presets(), snowmint.text_forms(), snowmint.error_codes()):
        assert len(set(rows)) == len(rows)
    many = Layout.TWITTER.decode_many
    assert many([1, 2]) == many([1, 2]) != many([1, 3])
    store = snowmint.MemoryStore()
    store.create_tag("orders")
    assert store.tags() == [store.tag("orders")]
    assert lease_request() != lease_request()
    likeliest = snowmint.guess(175928847299117063)
    assert len(set(likeliest)) == len(likeliest)
    assert likeliest != snowmint.guess(175928847299117063, beside="guild_id")


def test_a_pickle_of_a_later_version_is_refused() -> None:
    later = pickle.dumps(Layout.presets()[0]).replace(b"twitter", b"twittes")
    with pytest.raises(ValueError, match='this version of snowmint has no preset "twittes"'):
        pickle.loads(later)
