"""Bad input is the language's own kind of error, with the code, and the generator goes on."""

from __future__ import annotations

import sys
import time
from array import array
from datetime import timezone
from pathlib import Path
from typing import Any

import pytest

import snowmint
from snowmint import Layout, Segment, Snowflake, SnowmintError, engine


class Index:
    """An integer in all but name."""

    def __index__(self) -> int:
        return 3


class Leasing:
    """A class that looks like a store of worker IDs, and is never called."""

    def acquire(self, request: snowmint.LeaseRequest) -> snowmint.Lease:
        raise NotImplementedError

    def renew(self, lease: snowmint.Lease, token: bytes, reserve_ms: int) -> snowmint.Lease:
        raise NotImplementedError

    def release(self, lease: snowmint.Lease) -> None:
        raise NotImplementedError


@pytest.mark.parametrize("wrong", [1.0, True, "3", None, [3], 3j], ids=repr)
def test_integers_of_a_wrong_type(flake: Snowflake, wrong: Any) -> None:
    for call in (
        flake.next_ids,
        flake.next_id_within,
        Layout.TWITTER.fits,
        lambda x: snowmint.format(x, "hex"),
        lambda x: snowmint.Parts(time=0, worker_id=x),
        lambda x: engine.Range(x, 10),
        lambda x: snowmint.UuidSource(x),
    ):
        with pytest.raises(TypeError):
            call(wrong)
        if not isinstance(wrong, str):  # digits are an ID
            for reads in (snowmint.guess, snowmint.decode, Layout.TWITTER.decode):
                with pytest.raises(TypeError):
                    reads(wrong)
    assert flake.next_id() > 0


@pytest.mark.parametrize("wrong", [-1, 2**64, -(2**63) - 1, 10**100], ids=hex)
def test_integers_out_of_range(flake: Snowflake, wrong: int) -> None:
    for call in (
        flake.next_id_within,
        Layout.TWITTER.decode,
        snowmint.guess,
        lambda x: snowmint.format(x, "hex"),
        lambda x: snowmint.Parts(time=0, worker_id=x),
    ):
        with pytest.raises(ValueError) as raised:
            call(wrong)
        assert isinstance(raised.value, SnowmintError)
        assert raised.value.code == "invalid_parameter"
    assert flake.next_id() > 0


def test_an_argument_out_of_range_is_named(store: snowmint.Store, flake: Snowflake) -> None:
    calls: dict[str, Any] = {
        "worker_id": lambda x: Snowflake(worker_id=x),
        "wait_ms": lambda x: Snowflake(store=store, wait_ms=x),
        "reserve_ms": lambda x: Snowflake(store=store, reserve_ms=x),
        "max_ahead_ms": lambda x: Snowflake(store=store, max_ahead_ms=x),
        "step": lambda x: Segment("orders", store=store, step=x),
        "runway_ms": lambda x: Segment("orders", store=store, runway_ms=x),
        "prefetch": lambda x: Segment("orders", store=store, prefetch=x),
        "digits": lambda x: snowmint.Daily("d", store=store, digits=x),
        "key": lambda x: snowmint.Sequences("chat", store=store).next(x),
        "start": lambda x: store.create_tag("a", start=x),
        "count": lambda x: store.allocate("orders", x),
        "id": Layout.TWITTER.decode,
        "bits": Layout.TWITTER.fits,
        "worker": lambda x: Layout.TWITTER.worker_id(worker=x),
        "a time": Layout.TWITTER.min_id,
        "version": snowmint.UuidSource,
        "above": lambda x: engine.SegmentBuffer(prefetch=10, step=5, above=x),
        "distance": engine.Prefetch.chain,
    }
    for name, call in calls.items():
        for wrong in (-(2**64), 2**64):
            with pytest.raises(snowmint.ParameterError, match=f"^{name} is out of range: use ") as raised:
                call(wrong)
            assert raised.value.code == "invalid_parameter"


@pytest.mark.parametrize("wrong", [-1, 2**64, 2.5, "3", None], ids=repr)
def test_one_of_many_is_told_by_its_index(wrong: Any) -> None:
    public = snowmint.PublicIdKeys.generate().public_ids("order")
    kind = snowmint.ParameterError if isinstance(wrong, int) else TypeError
    for call in (public.encode_many, Layout.TWITTER.decode_many):
        with pytest.raises(kind, match="index 2"):
            call([1, 2, wrong, 4])
    if not isinstance(wrong, str):
        with pytest.raises(TypeError, match="a text is required, not .* it has index 1"):
            public.decode_many([public.encode(1), wrong])


def test_a_value_that_a_column_misses_is_told_by_its_index() -> None:
    import pandas as pd
    import pyarrow as pa

    public = snowmint.PublicIdKeys.generate().public_ids("order")
    for column in (
        pd.Series([1, None], dtype="Int64"),
        pa.array([1, None]),
        pa.chunked_array([[1], [None]]),
    ):
        for call in (Layout.TWITTER.decode_many, public.encode_many):
            with pytest.raises(TypeError, match="not a missing value; it has index 1"):
                call(column)
    for floats in (pd.Series([1, None]), pd.Index([1, None])):
        for call in (Layout.TWITTER.decode_many, public.encode_many):
            with pytest.raises(TypeError, match="of float64, and a value is missing, with index 1: "):
                call(floats)


def test_an_id_in_another_form_is_told_where_to_go() -> None:
    for call in (snowmint.decode, snowmint.guess):
        with pytest.raises(snowmint.TextError, match="; snowmint.parse reads the other forms"):
            call("1ASD13XH1F800")
    assert snowmint.decode(snowmint.parse("1ASD13XH1F800")).preset.name == "twitter"


def test_a_store_in_memory_is_no_file(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    url = "snowflake+sqlite::memory:?create=true"
    opened = (lambda: snowmint.SqliteStore(":memory:", create=True), lambda: snowmint.open(url))
    for call in opened:
        with pytest.raises(snowmint.ParameterError, match="a store in memory is a MemoryStore"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_another_key_space_than_the_one_named_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "ids.db"
    snowmint.SqliteStore(path, create=True).create_tag("orders")
    with pytest.raises(snowmint.StoreError) as other:
        snowmint.SqliteStore(path, key_space="0" * 32).tags()
    assert other.value.code == "incarnation_changed"
    named = str(other.value).split("is the key space ")[1][:32]
    assert [row.tag for row in snowmint.SqliteStore(path, key_space=named).tags()] == ["orders"]
    with pytest.raises(snowmint.ParameterError, match="32 hexadecimal digits"):
        snowmint.SqliteStore(path, key_space="orders")


def test_wrong_parts_are_refused_by_the_names_of_their_forms() -> None:
    from pydantic import TypeAdapter, ValidationError

    with pytest.raises(ValidationError) as raised:
        TypeAdapter(snowmint.Parts).validate_python({"time": "yesterday"})
    places = {error["loc"] for error in raised.value.errors()}
    forms = {("dict", "time", form) for form in ("datetime", "milliseconds", "text")}
    assert places == {("Parts",), *forms}


@pytest.mark.parametrize("name", ["store", "worker_id"])
def test_none_is_no_store_and_no_worker_id(
    name: str, store: snowmint.Store, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a setting that is missing would lease from a file of one's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    other: dict[str, Any] = {"store": {"worker_id": 7}, "worker_id": {"store": store}}[name]
    for arguments in ({name: None}, {name: None, **other}):
        with pytest.raises(snowmint.ParameterError, match=f"^{name} is None") as raised:
            Snowflake(**arguments)
        assert raised.value.code == "invalid_parameter"
    assert not (tmp_path / "state").exists()


def test_anything_with_an_index_is_an_integer(flake: Snowflake) -> None:
    assert len(flake.next_ids(Index())) == 3


@pytest.mark.parametrize("count", [0, snowmint.MAX_COUNT + 1, 2**64 - 1, -1, 2**64, 10**100])
def test_counts_out_of_range(flake: Snowflake, count: int) -> None:
    for call in (flake.next_ids, flake.next_ids_async):
        with pytest.raises(snowmint.ParameterError, match=f"^{count} is out of range") as raised:
            call(count)
        assert raised.value.code == "count_out_of_range"


def test_a_count_that_needs_waiting_is_refused_whole(tmp_path: Path) -> None:
    with Snowflake(worker_id=7, state_directory=tmp_path, max_ahead_ms=0, wait_ms=0) as flake:
        # More than one block, and than all that the tick has.
        mints = (lambda: flake.next_ids(100_000), lambda: flake.fill(array("Q", bytes(800_000))))
        for mint in mints:
            with pytest.raises(snowmint.ParameterError, match="at most 4096 at once") as raised:
                mint()
            assert raised.value.code == "count_out_of_range"
        with pytest.raises(snowmint.ParameterError, match="^5000 IDs"):
            flake.next_ids(5_000)


@pytest.mark.parametrize(
    "buffer",
    [
        array("I", [0] * 4),
        array("d", [0.0] * 4),
        bytearray(64),
        bytes(64),
        memoryview(array("Q", [0] * 4)).toreadonly(),
        memoryview(array("Q", [0] * 4))[::2],
        memoryview(array("Q", [0] * 4))[::-1],
    ],
    ids=["uint32", "float", "bytearray", "bytes", "read-only", "strided", "reversed"],
)
def test_wrong_buffers(flake: Snowflake, buffer: Any) -> None:
    with pytest.raises(snowmint.ParameterError) as raised:
        flake.fill(buffer)
    assert raised.value.code == "invalid_parameter"
    assert flake.next_id() > 0


def test_a_buffer_of_another_byte_order_is_told_so(flake: Snowflake) -> None:
    import numpy as np

    swapped = np.zeros(3, dtype=np.dtype("uint64").newbyteorder())
    for call in (flake.fill, Layout.TWITTER.decode_many):
        with pytest.raises(snowmint.ParameterError, match="has the byte order of another machine"):
            call(swapped)


def test_an_array_of_several_dimensions_is_filled_row_by_row(flake: Snowflake) -> None:
    import numpy as np

    ids = np.zeros((3, 2), dtype="uint64")
    flake.fill(ids)
    assert ids.ravel().tolist() == sorted(set(ids.ravel().tolist())) and ids[0, 0] > 0


@pytest.mark.parametrize("buffer", [None, 7, [1, "2"], "text", object()], ids=repr)
def test_no_buffers(flake: Snowflake, buffer: Any) -> None:
    with pytest.raises(TypeError):
        flake.fill(buffer)
    with pytest.raises(TypeError):
        Layout.TWITTER.decode_many(buffer)


def test_a_buffer_is_given_back(flake: Snowflake) -> None:
    buffer = array("Q", [0] * 4)
    flake.fill(buffer)
    buffer.append(1)  # it would be a BufferError if the memory were still lent
    references = sys.getrefcount(buffer)
    flake.fill(buffer)
    assert sys.getrefcount(buffer) == references


def test_every_call_after_close_is_closed(flake: Snowflake) -> None:
    flake.close()
    flake.close()
    for call in (flake.next_id, flake.try_next_id, flake.__next__, lambda: flake.next_ids(3)):
        with pytest.raises(snowmint.ClosedError) as raised:
            call()
        assert raised.value.code == "closed"
    with pytest.raises(ValueError):
        flake.fill(array("Q", [0]))


def test_nobody_asks_a_closed_source_again(store: snowmint.Store, tmp_path: Any) -> None:
    for source in (
        Snowflake(store=store),
        Segment("orders", store=store),
        snowmint.Daily("d", store=store),
        snowmint.open(f"snowflake:?worker_id=9&state={tmp_path}&ring=16"),
    ):
        source.close()
        with pytest.raises(snowmint.ClosedError, match="^the source is closed"):
            source.try_next_id()


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("nonsense", "invalid_url"),
        ("ftp:x", "unknown_scheme"),
        ("snowflake:?worker_id=7&colour=red", "unknown_parameter"),
        ("snowflake:?worker_id=x", "invalid_parameter"),
        ("snowflake:?worker_id=7&layout=unheard", "unknown_layout"),
        ("uuid:?version=3", "invalid_parameter"),
    ],
)
def test_wrong_urls(url: str, code: str) -> None:
    with pytest.raises(ValueError) as raised:
        snowmint.open(url)
    assert isinstance(raised.value, SnowmintError) and raised.value.code == code


def test_wrong_arguments_of_constructors(store: snowmint.Store, tmp_path: Any) -> None:
    wrong: list[tuple[Any, type[Exception]]] = [
        (lambda: Snowflake(state_directory="."), snowmint.ParameterError),
        (lambda: Snowflake(worker_id=1, store=store), snowmint.ParameterError),
        (lambda: Snowflake(worker_id=True), TypeError),
        (lambda: Snowflake(worker_id=4096, state_directory=tmp_path), snowmint.LayoutError),
        (lambda: Snowflake(7), TypeError),  # type: ignore[misc]
        (lambda: Snowflake(worker_id=7, policy="none"), snowmint.ParameterError),
        (lambda: Snowflake(worker_id=7, layout=7), TypeError),  # type: ignore[arg-type]
        (lambda: Snowflake(store=object()), TypeError),  # type: ignore[arg-type]
        (lambda: Segment("orders"), snowmint.ParameterError),
        (lambda: Segment("", store=store), snowmint.ParameterError),
        (lambda: Segment("unheard", store=store), snowmint.SegmentError),
        (lambda: Segment("orders", allocate=7), TypeError),  # type: ignore[arg-type]
        (lambda: Segment("orders", store=store, step=0), snowmint.ParameterError),
        (lambda: Segment("orders", store=store, prefetch=101), snowmint.ParameterError),
        (lambda: Segment("orders", store=store, runway_ms=0), snowmint.ParameterError),
        (lambda: Segment("orders", store=store, runway_ms=1, step=1), snowmint.ParameterError),
        (lambda: snowmint.Daily("d", store=store, zone="Mars"), snowmint.ParameterError),
        (lambda: store.create_tag("orders"), snowmint.SegmentError),
        (lambda: Layout("time:41", tick_ms=0), snowmint.LayoutError),
        (lambda: Layout.TWITTER.worker_id(colour=1), TypeError),
        (lambda: snowmint.format(1, "base64"), snowmint.TextError),
        (lambda: snowmint.parse("?"), snowmint.TextError),
        (lambda: engine.ClockPolicy.named("none"), snowmint.ParameterError),
        (lambda: engine.ClockPolicy(max_ahead_ms=0, when_behind="weep"), snowmint.ParameterError),
    ]
    for call, error in wrong:
        with pytest.raises(error):
            call()


def test_an_error_says_what_would_be_right(store: snowmint.Store) -> None:
    wrong: list[tuple[Any, str]] = [
        (lambda: Snowflake(store="ids.db"), "Store.open"),  # type: ignore[arg-type]
        (lambda: Segment("orders", store="sqlite:ids.db"), "Store.open"),  # type: ignore[arg-type]
        (lambda: snowmint.Daily("d", store="sqlite:ids.db"), "Store.open"),  # type: ignore[arg-type]
        (lambda: snowmint.Daily("d", store=store, zone=timezone.utc), "of a ZoneInfo its key"),  # type: ignore[arg-type]
        (lambda: snowmint.Sequences("s", store="sqlite:x"), "Store.open"),  # type: ignore[arg-type]
        (lambda: Layout("discord"), r'use Layout.DISCORD or Layout.named\("discord"\)'),
        (lambda: Layout("cosid-js-s"), "use Layout.COSID_JS_S or"),
        (lambda: Layout(str(Layout.TWITTER)), "read by Layout.named"),
        (lambda: Snowflake(store=Leasing), "an instance of Leasing, not the class"),  # type: ignore[arg-type]
        (lambda: snowmint.PublicIdKeys.from_bytes(b"\xc8" * 32), "as `snowmint public-ids keygen` writes one"),
    ]
    for call, right in wrong:
        with pytest.raises((TypeError, ValueError), match=right):
            call()


def test_the_range_that_is_told_is_the_one_that_is_taken(store: snowmint.Store) -> None:
    wrong: list[tuple[Any, str]] = [
        (lambda: Snowflake(worker_id=-1), r"worker_id is out of range: use 0 to 1023\b"),
        (lambda: Snowflake(worker_id=-1, layout="time:41,worker:4"), r"use 0 to 15\b"),
        (lambda: Snowflake(worker_id=7, max_ahead_ms=10**9), r"use 0 to 3600000\b"),
        (lambda: Snowflake(worker_id=7, max_ahead_ms=-1), r"use 0 to 3600000\b"),
        (lambda: Snowflake(worker_id=7, reserve_ms=-1), r"use 100 to 3600000\b"),
        (lambda: Segment("orders", store=store, step=-1), r"use 1 to 1073741824\b"),
        (lambda: snowmint.Daily("d", store=store, step=-1), r"use 1 to 1073741824\b"),
        (lambda: snowmint.Sequences("s", store=store, step=-1), r"use 1 to 1073741824\b"),
        (lambda: snowmint.Daily("d", store=store, digits=-1), r"use 1 to 10\b"),
        (lambda: store.create_tag("a", step=-1), r"use 1 to 1073741824\b"),
        (lambda: store.change_tag("orders", step=-1), r"use 1 to 1073741824\b"),
        (lambda: store.allocate("orders", -1), r"use 1 to 1073741824\b"),
        (lambda: engine.Step(-1), r"use 1 to 1073741824\b"),
    ]
    for call, right in wrong:
        with pytest.raises(snowmint.ParameterError, match=right):
            call()


def test_an_error_names_what_raises_a_max_for_a_store_without_a_url() -> None:
    store = snowmint.MemoryStore()
    store.create_tag("few", max=1)
    store.allocate("few")
    with pytest.raises(snowmint.SegmentError, match="else by the store itself") as raised:
        store.allocate("few")
    assert raised.value.code == "tag_exhausted"


def test_a_tag_without_numbers_is_not_asked_for_ever(store: snowmint.Store) -> None:
    store.create_tag("few", max=2)
    with Segment("few", store=store) as few:
        assert [few.next_id(), few.next_id()] == [1, 2]
        with pytest.raises(snowmint.SegmentError) as raised:
            while few.try_next_id() is None:
                time.sleep(0.001)
        assert raised.value.code == "tag_exhausted"


def test_an_error_on_a_long_name_is_shortened() -> None:
    long = "x" * 100_000
    for call in (
        lambda: snowmint.open(f"snowflake:?worker_id=7&layout={long}"),
        lambda: snowmint.open(long),
        lambda: Snowflake(worker_id=long),
        lambda: snowmint.SqliteStore(long),
        lambda: snowmint.format(1, long),
    ):
        with pytest.raises(SnowmintError, match="bytes left out") as raised:
            call()
        assert len(str(raised.value)) < 2_100


def test_two_worker_ids_are_not_called_none(store: snowmint.Store) -> None:
    with pytest.raises(snowmint.ParameterError, match="both a fixed one and a store"):
        Snowflake(worker_id=1, store=store)


def test_a_layout_leaves_nothing_to_guess() -> None:
    id = 175928847299117063
    assert snowmint.decode(id, "discord") == Layout.DISCORD.decode(id)
    for extra in ({"beside": "guild_id"}, {"now": 1_700_000_000_000}):
        with pytest.raises(TypeError, match="leave either out"):
            snowmint.decode(id, "discord", **extra)  # type: ignore[call-overload]


def test_a_datetime_needs_a_time_zone() -> None:
    from datetime import datetime

    with pytest.raises(snowmint.ParameterError) as raised:
        Layout.TWITTER.min_id(datetime(2026, 1, 1))
    assert raised.value.code == "invalid_time"
    with pytest.raises(TypeError):
        Layout.TWITTER.min_id("2026-01-01")  # type: ignore[arg-type]


def test_memory_errors_are_errors() -> None:
    flake = engine.Snowflake("time:41,sequence:23", worker_id=0)
    with pytest.raises(snowmint.ParameterError):
        flake.issue(0, now=1_700_000_000_000)


def test_a_stall_says_when_to_ask_again() -> None:
    flake = engine.Snowflake(Layout.TWITTER, worker_id=1)
    now = 1_700_000_000_000
    flake.issue(4096, now=now)
    with pytest.raises(snowmint.StallError) as raised:
        flake.next_id(now)
    assert (raised.value.code, raised.value.wait_ms) == ("sequence_exhausted", 1)
    assert engine.ClockPolicy.named("twitter").action(raised.value) == "wait 1"
    closed = snowmint.ClosedError("", "closed", 204)
    with pytest.raises(snowmint.ParameterError):
        engine.ClockPolicy.named("twitter").action(closed)


def test_text_that_is_no_unicode_is_a_wrong_text() -> None:
    alone = "12\ud800"
    for call in (snowmint.parse, snowmint.decode, snowmint.guess):
        with pytest.raises(snowmint.TextError):
            call(alone)
    assert snowmint.detect(alone) is None


def test_a_value_that_is_no_stall_has_no_action() -> None:
    for stall in (None, 5, "x", ValueError()):
        with pytest.raises(snowmint.ParameterError, match="no stall"):
            engine.ClockPolicy.named("leaf").action(stall)  # type: ignore[arg-type]
