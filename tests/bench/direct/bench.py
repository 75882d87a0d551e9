"""Measures clients that route among three ID services, beside the embedded segment.

Each ratio is the median of rounds in which both sides were measured in turn, by `snowmint bench`:
each call in a row, and timed one by one. The servers share the machine with their client.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import signal
import statistics
import subprocess
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from report import Line, as_json, markdown, plain
from slowness import Slow

SNOWMINT = os.environ["SNOWMINT"]
MILLION = 1_000_000
SHARES = ("p50", "p99", "p99.9", "slowest")


class Server:
    """A service on a store: where it is asked, and by its operator."""

    def __init__(self, directory: Path, store: str) -> None:
        listen = ("--http-listen", "127.0.0.1:0", "--resp-listen", "", "--admin-listen", "127.0.0.1:0")
        arguments = (*listen, "--source", "a=uuid:", "--leases-store", store)
        self.process = subprocess.Popen(
            [SNOWMINT, "serve", *arguments], cwd=directory, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr
        told = (re.search(r"http://127\.0\.0\.1:(\d+)", line) for line in self.process.stderr)
        found = (int(one[1]) for one in told if one)
        self.port, self.admin = next(found), next(found)

    def answers(self) -> int:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.admin}/metrics", timeout=60) as told:
            text = told.read().decode()
        found = re.search(r'^snowmint_http_answers_total{status="2xx"} (\d+)', text, re.MULTILINE)
        assert found
        return int(found[1])


@contextlib.contextmanager
def servers(directory: Path, store: str) -> Iterator[list[Server]]:
    running: list[Server] = []
    try:
        running += (Server(directory, store) for _ in range(3))
        yield running
    finally:
        for server in running:
            server.process.kill()
            server.process.wait()


def url(ports: list[int]) -> str:
    return "http://" + ",".join(f"127.0.0.1:{port}" for port in ports) + "/orders"


def bench(source: str, quick: bool) -> dict[str, float]:
    """Returns the figures of `snowmint bench` for a source, by name."""
    command = [SNOWMINT, "bench", source, "--json", "--seconds", "1", *(["--quick"] * quick)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {line["name"]: line["value"] for line in map(json.loads, told.splitlines())}


def beside(embedded: str, direct: str, rounds: int, quick: bool) -> Iterator[Line]:
    """A call of a client that routes, and one of a process on the store itself."""
    pairs = [(bench(embedded, quick), bench(direct, quick)) for _ in range(rounds)]
    ns, ratios = [], []
    for own, routed in pairs:
        ns.append(routed["next_id"])
        ratios.append(routed["next_id"] / own["next_id"])
    of, ratio = "the embedded segment", statistics.median(ratios)
    yield Line("a call", "three servers", statistics.median(ns), "ns", of, ratio, at_most=1.2)
    yield from timed("a call, the embedded segment", [own for own, _ in pairs])
    yield from timed("a call, three servers", [routed for _, routed in pairs])


def timed(group: str, told: list[dict[str, float]]) -> Iterator[Line]:
    """The median of the rounds, and the slowest call of all."""
    for share in SHARES:
        middle: Callable[[list[float]], float] = max if share == "slowest" else statistics.median
        value = middle([one[f"timed call, {share}"] for one in told])
        yield Line(group, share, value / 1_000, "µs")


def round_trips(direct: str, running: list[Server]) -> Iterator[Line]:
    for how in ("step=1000", "runway=10s"):
        before = sum(server.answers() for server in running)
        subprocess.run(
            [SNOWMINT, "id", f"{direct}?{how}", "-n", str(MILLION)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        # Each look at a server's figures is an answer of it, too.
        asked = sum(server.answers() for server in running) - before - len(running)
        yield Line("round trips for a million IDs", how, asked, "")


def pauses(running: list[Server], rounds: int, quick: bool) -> Iterator[Line]:
    """Measures clients that have three servers, one of them slow, silent or dead, and do not know it yet."""
    ports = [server.port for server in running]

    def measured(what: str, first: int) -> Iterator[Line]:
        source = f"{url([first, *ports[1:]])}?wait_ms=60000"
        yield from timed(what, [bench(source, quick) for _ in range(rounds)])

    with Slow(("127.0.0.1", ports[0]), 2) as slow:
        yield from measured("a call, one server of three answers after 2 s", slow.port)
    running[0].process.send_signal(signal.SIGSTOP)
    yield from measured("a call, one server of three is silent", ports[0])
    running[0].process.kill()
    running[0].process.wait()
    yield from measured("a call, one server of three is dead", ports[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for form in ("json", "markdown", "quick"):
        parser.add_argument(f"--{form}", action="store_true")
    wanted = parser.parse_args()
    rounds = 1 if wanted.quick else 5
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        store = f"sqlite:{directory / 'ids.db'}"
        create = [SNOWMINT, "segment", "create", f"{store}?create=true", "orders"]
        subprocess.run([*create, "--step", "1000"], check=True, capture_output=True)
        with servers(directory, store) as running:
            direct = url([server.port for server in running])
            lines = list(beside(f"segment+{store}?tag=orders", direct, rounds, wanted.quick))
            lines += round_trips(direct, running)
            lines += pauses(running, rounds, wanted.quick)
    form = as_json if wanted.json else markdown if wanted.markdown else plain
    print(form(lines))


if __name__ == "__main__":
    main()
