"""Bad input is the language's own kind of error, with the code, and the generator goes on."""

from __future__ import annotations

import sys
from array import array
from typing import Any

import pytest

import snowmint
from snowmint import Layout, Segment, Snowflake, SnowmintError, engine


class Index:
    """An integer in all but name."""

    def __index__(self) -> int:
        return 3


@pytest.mark.parametrize("wrong", [1.0, True, "3", None, [3], 3j], ids=repr)
def test_integers_of_a_wrong_type(flake: Snowflake, wrong: Any) -> None:
    for call in (
        flake.next_ids,
        flake.next_id_within,
        Layout.TWITTER.decode,
        Layout.TWITTER.fits,
        lambda x: snowmint.format(x, "hex"),
        lambda x: snowmint.Parts(time=0, worker_id=x),
        lambda x: engine.Range(x, 10),
        lambda x: snowmint.UuidSource(x),
    ):
        with pytest.raises(TypeError):
            call(wrong)
        if not isinstance(wrong, str):  # digits are an ID
            for reads in (snowmint.guess, snowmint.decode):
                with pytest.raises(TypeError):
                    reads(wrong)
    assert flake.next_id() > 0


@pytest.mark.parametrize("wrong", [-1, 2**64, -(2**63) - 1, 10**100], ids=hex)
def test_integers_out_of_range(flake: Snowflake, wrong: int) -> None:
    for call in (
        flake.next_ids,
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


def test_anything_with_an_index_is_an_integer(flake: Snowflake) -> None:
    assert len(flake.next_ids(Index())) == 3


@pytest.mark.parametrize("count", [0, snowmint.MAX_COUNT + 1, 2**64 - 1])
def test_counts_out_of_range(flake: Snowflake, count: int) -> None:
    with pytest.raises(snowmint.ParameterError) as raised:
        flake.next_ids(count)
    assert raised.value.code == "count_out_of_range"


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
    for call in (flake.next_id, flake.__next__, lambda: flake.next_ids(3)):
        with pytest.raises(snowmint.ClosedError) as raised:
            call()
        assert raised.value.code == "closed"
    with pytest.raises(ValueError):
        flake.fill(array("Q", [0]))
    assert flake.try_next_id() is None


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("nonsense", "invalid_url"),
        ("ftp:x", "unknown_scheme"),
        ("snowflake:?worker=7&colour=red", "unknown_parameter"),
        ("snowflake:?worker=x", "invalid_parameter"),
        ("snowflake:?worker=7&layout=unheard", "unknown_layout"),
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
