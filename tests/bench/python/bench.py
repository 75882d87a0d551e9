"""Measures snowmint's Python beside an empty native method and the peers, in one run.

Every ratio is the median of rounds in which both sides were measured in turn.
"""

from __future__ import annotations

import argparse
import collections
import gc
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import hashids
import numpy as np
import sqids
import ulid
import uuid_utils
import uuid_utils.compat
from report import Line, as_json, markdown, plain
from snowflake import SnowflakeGenerator
from snowmint_bench_floor import Floor

import snowmint
import snowmint.engine

Timer = Callable[[], float]
"""Runs something once and says how many nanoseconds one ID took."""

CALLS = 100_000
MILLION = 1_000_000
# 65 million IDs a second: what is measured is not the layout's cap.
WIDE = "time:41,worker:6,sequence:16"
MEBIBYTE = 1 << 20
FIRST_ID = 1541815603606036480


def calls(function: Callable[[], object], count: int = CALLS) -> Timer:
    """The time of a call, without that of the loop around it."""

    def timer() -> float:
        repeated = itertools.repeat(None, count)
        begun = time.perf_counter_ns()
        for _ in repeated:
            function()
        return (time.perf_counter_ns() - begun) / count

    return timer


def per_id(function: Callable[[], int | None], count: int = CALLS) -> Timer:
    """The time of an ID, where some calls give none."""

    def timer() -> float:
        repeated, given = itertools.repeat(None, count), count
        begun = time.perf_counter_ns()
        for _ in repeated:
            if function() is None:
                given -= 1
        return (time.perf_counter_ns() - begun) / given

    return timer


def iteration(source: Iterator[object], count: int = 4 * CALLS) -> Timer:
    def timer() -> float:
        begun = time.perf_counter_ns()
        collections.deque(itertools.islice(source, count), maxlen=0)
        return (time.perf_counter_ns() - begun) / count

    return timer


def once(function: Callable[[], object], ids: int) -> Timer:
    def timer() -> float:
        begun = time.perf_counter_ns()
        function()
        return (time.perf_counter_ns() - begun) / ids

    return timer


def each(function: Callable[[Any], object], arguments: Sequence[object]) -> Timer:
    """The time of a call with one argument, from a loop in C."""

    def timer() -> float:
        begun = time.perf_counter_ns()
        collections.deque(map(function, arguments), maxlen=0)
        return (time.perf_counter_ns() - begun) / len(arguments)

    return timer


def importing(module: str) -> Timer:
    """Milliseconds of a process that imports a module and ends."""

    def timer() -> float:
        begun = time.perf_counter_ns()
        subprocess.run([sys.executable, "-I", "-c", f"import {module}"], check=True)
        return (time.perf_counter_ns() - begun) / 1e6

    return timer


class Bench:
    """Rounds of pairs."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.lines: list[Line] = []

    def pair(self, subject: Timer, other: Timer) -> tuple[float, float, list[tuple[float, float]]]:
        """Medians of both, and the rounds."""
        subject(), other()
        gc.disable()
        rounds = [(subject(), other()) for _ in range(self.rounds)]
        gc.enable()
        mine, others = zip(*rounds)
        return statistics.median(mine), statistics.median(others), rounds

    def compare(
        self,
        group: str,
        what: str,
        subject: Timer,
        of: str,
        other: Timer,
        at_most: float | None = None,
    ) -> None:
        """Adds the ratio of the subject's time to the other's."""
        mine, _, rounds = self.pair(subject, other)
        ratio = statistics.median(subject / other for subject, other in rounds)
        self.lines.append(Line(group, what, mine, "ns", of, ratio, at_most))

    def peer(self, what: str, peer: Timer, ours: Timer, at_least: float | None = None) -> None:
        """Adds the ratio of the peer's time to ours."""
        _, theirs, rounds = self.pair(ours, peer)
        ratio = statistics.median(peer / ours for ours, peer in rounds)
        line = Line("peers", what, theirs, "ns", "Snowflake.next_id", ratio, at_least=at_least)
        self.lines.append(line)


def minting(bench: Bench, flake: snowmint.Snowflake, segment: snowmint.Segment) -> None:
    floor = Floor(1541815603606036480)
    empty, name, group = calls(floor.next_id), "empty native method", "one ID at a time"
    bench.lines.append(Line(group, name, bench.pair(empty, empty)[0], "ns"))
    bench.compare(group, "empty native iterator", iteration(floor), name, empty)
    for source in (flake, segment):
        kind = type(source).__name__
        bench.compare(group, f"{kind}.next_id", calls(source.next_id), name, empty, 1.5)
        taken = f"for id in {kind.lower()}"
        bench.compare(group, taken, iteration(source), name, empty, 0.7)
    ours = calls(flake.next_id)
    bench.peer("uuid_utils.uuid4", calls(uuid_utils.uuid4), ours, 1.0)
    bench.peer("uuid_utils.uuid7", calls(uuid_utils.uuid7), ours)
    # It gives Python's own UUIDs here, as we do.
    for version, peer in ((4, uuid_utils.compat.uuid4), (7, uuid_utils.compat.uuid7)):
        own = calls(snowmint.UuidSource(version).next_uuid)
        of = f"uuid_utils.compat.uuid{version}"
        bench.compare("UUIDs", f"UuidSource, version {version}", own, of, calls(peer), 1.0)
    # It gives None for the rest of a millisecond whose 4096 IDs are taken.
    other = per_id(SnowflakeGenerator(42).__next__)
    bench.peer("snowflake-id", other, per_id(flake.next_id), 8.0)
    bench.peer("uuid.uuid4", calls(uuid.uuid4, CALLS // 10), ours, 15.0)
    bench.peer("python-ulid", calls(ulid.ULID, CALLS // 10), ours)


def bulk(bench: Bench, flake: snowmint.Snowflake, segment: snowmint.Segment) -> None:
    buffer, other = np.zeros(MILLION, np.uint64), np.zeros(MILLION, np.uint64)
    memset = once(lambda: other.fill(7), MILLION)
    group, name = "a million IDs", "memset of the same buffer"

    def fill(source: snowmint.Snowflake | snowmint.Segment) -> Timer:
        return once(lambda: source.fill(buffer), MILLION)

    def decode() -> None:
        flake.layout.decode_many(buffer)

    def decode_each() -> None:
        for id in few:
            flake.layout.decode(id).worker_id

    bench.compare(group, "Segment.fill", fill(segment), name, memset, 1.5)
    bench.compare(group, "Snowflake.fill", fill(flake), name, memset)
    few = buffer[:CALLS].tolist()
    each = once(decode_each, CALLS)
    bench.compare(group, "Layout.decode_many", once(decode, MILLION), "Layout.decode of each", each)


def public_ids(bench: Bench) -> None:
    # So few that on a busy machine most measurements are not interrupted.
    count = CALLS // 50
    floor, ids = Floor(FIRST_ID), range(FIRST_ID, FIRST_ID + count)
    orders = snowmint.PublicIdKeys.generate().public_ids("order")
    tokens = orders.encode_many(ids)
    group, name = "public IDs, one", "empty native method that takes an integer"
    empty, encode = each(floor.same, ids), each(orders.encode, ids)
    bench.lines.append(Line(group, name, bench.pair(empty, empty)[0], "ns"))
    texts = "native method from integer to text"
    bench.compare(group, texts, each(floor.text, ids), name, empty)
    bench.compare(group, "encode", encode, name, empty, 2.0)
    bench.compare(group, "encode", encode, texts, each(floor.text, ids), 2.0)
    reading = "native method from text to integer"
    read = each(floor.read, tokens)
    bench.compare(group, "decode", each(orders.decode, tokens), reading, read, 2.0)
    many = once(lambda: orders.encode_many(ids), count)
    bench.compare(group, "encode_many, each", many, "encode", encode)
    read_many = once(lambda: orders.decode_many(tokens), count)
    bench.compare(group, "decode_many, each", read_many, "decode", each(orders.decode, tokens))
    # As few as a fiftieth: they are slower by so much.
    few = ids[: count // 50]
    for peer, function in (
        ("hashids", hashids.Hashids().encode),
        ("sqids", lambda id, sqids=sqids.Sqids(): sqids.encode([id])),
        ("str(uuid.uuid4())", lambda _: str(uuid.uuid4())),
    ):
        bench.compare(group, peer, each(function, few), "encode", encode)


def costs(bench: Bench, wheel: Path) -> None:
    _, _, rounds = bench.pair(importing("snowmint"), importing("json"))
    more = statistics.median(ours - json for ours, json in rounds)
    group = "costs"
    bench.lines.append(Line(group, "import snowmint, more than import json", more, "ms", at_most=10))
    size = wheel.stat().st_size / MEBIBYTE
    bench.lines.append(Line(group, "wheel", size, "MiB", at_most=6.0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help="few rounds, to see that it runs")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object a line")
    form.add_argument("--markdown", action="store_true", help="a table for the README")
    options = parser.parse_args()
    bench = Bench(rounds=3 if options.quick else 51)
    with tempfile.TemporaryDirectory() as directory:
        store = snowmint.SqliteStore(Path(directory) / "ids.db", create=True)
        store.create_tag("orders")
        flake = snowmint.Snowflake(worker_id=7, layout=WIDE, state_directory=directory)
        # Steps so large that what is measured is not the disk.
        segment = snowmint.Segment("orders", store=store, step=snowmint.engine.MAX_STEP)
        segment.next_id()
        minting(bench, flake, segment)
        bulk(bench, flake, segment)
        public_ids(bench)
        flake.close()
        segment.close()
    costs(bench, options.wheel)
    if options.json:
        print(as_json(bench.lines), end="")
    elif options.markdown:
        print(markdown(bench.lines), end="")
    else:
        cores = os.cpu_count()
        print(f"Python {sys.version.split()[0]}, {cores} cores")
        print(plain(bench.lines), end="")


if __name__ == "__main__":
    main()
