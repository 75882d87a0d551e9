"""Measures `snowmint serve` beside an empty answer of its own stack, a counter on the stack of Leaf's
server, and redis-server.

Every ratio is the median of rounds in which both sides were measured in turn. The clients, wrk and
redis-benchmark, share the machine with what they ask.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import socket
import sqlite3
import ssl
import statistics
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from report import Line, as_json, markdown, plain

SNOWMINT = os.environ["SNOWMINT"]
COUNTING = os.environ["COUNTING"]
CONNECTIONS = 50
MEBIBYTE = 1 << 20
PAGE = os.sysconf("SC_PAGE_SIZE")
RANGE = 1_000

POST = """
wrk.method = "POST"
wrk.headers["Accept"] = "application/octet-stream"
wrk.headers["Authorization"] = "Bearer {token}"
"""


@contextlib.contextmanager
def running(*command: object, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that ends with the block."""
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=cwd,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def service(directory: Path, *arguments: object) -> Iterator[tuple[int, int, int]]:
    """A service on free ports: those of HTTP and of RESP, and its process."""
    listen = ("--http-listen", "127.0.0.1:0", "--resp-listen", "127.0.0.1:0", "--admin-listen", "")
    with running(SNOWMINT, "serve", *listen, *arguments, cwd=directory) as process:
        assert process.stderr
        told = (line for line in process.stderr if "listening on" in line)
        http, resp = (int(next(told).rsplit(":", 1)[1]) for _ in range(2))
        yield http, resp, process.pid


@contextlib.contextmanager
def redis(directory: Path, *settings: str) -> Iterator[int]:
    """A redis-server: its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = directory / f"redis-{port}"
    home.mkdir()
    with running("redis-server", "--port", port, "--save", "", *settings, cwd=home):
        for _ in range(1_000):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.01)
        yield port


@contextlib.contextmanager
def counting(directory: Path) -> Iterator[str]:
    """Spring's MVC on Tomcat, at the path of Leaf's server, which is not published: its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = (f"--server.port={port}", "--server.address=127.0.0.1")
    url = f"http://127.0.0.1:{port}/api/segment/get/orders"
    with running("java", "-jar", COUNTING, *address, cwd=directory):
        for _ in range(6_000):
            with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=60):
                break
            time.sleep(0.01)
        # Compiled by the time that it is measured.
        requests_a_second(url, None, 5)
        yield url


def commands_a_second(port: int, count: int, pipeline: int, token: str | None) -> float:
    done = subprocess.run(
        ["redis-benchmark", "-p", str(port), "-n", str(count), "-c", str(CONNECTIONS)]
        + ["-P", str(pipeline), "--csv"]
        + (["-a", token] if token else [])
        + ["INCR", "orders"],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout.splitlines()[-1].split(",")[1].strip('"'))


def requests_a_second(url: str, script: Path | None, seconds: int) -> tuple[float, float]:
    """And the 99th percentile of their times, in milliseconds."""
    asked = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency"]
    asked += ["-s", str(script)] if script else []
    told = subprocess.run([*asked, url], check=True, capture_output=True, text=True).stdout
    assert "Non-2xx" not in told, told
    amount, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", told).groups()  # type: ignore[union-attr]
    scale = {"us": 0.001, "ms": 1.0, "s": 1000.0}[unit]
    rate = re.search(r"Requests/sec:\s+([\d.]+)", told)[1]  # type: ignore[index]
    return float(rate), float(amount) * scale


def in_turn(rounds: int, contestants: dict[str, Callable[[], float]]) -> dict[str, list[float]]:
    results: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, measure in contestants.items():
            results[name].append(measure())
    return results


def ratio(results: dict[str, list[float]], name: str, to: str) -> float:
    return statistics.median(a / b for a, b in zip(results[name], results[to]))


def resp(directory: Path, rounds: int, count: int, own: int, token: str) -> Iterator[Line]:
    with redis(directory) as plain_redis, redis(
        directory, "--appendonly", "yes", "--appendfsync", "always"
    ) as durable:
        asked = {
            "snowmint": (own, token),
            "redis-server": (plain_redis, None),
            "redis-server, fsync always": (durable, None),
        }
        for pipeline, targets in ((1, (0.8, 2.0)), (64, (2.0, None))):
            results = in_turn(
                rounds,
                {
                    name: lambda port=port, token=token: commands_a_second(
                        port, count * pipeline // 4, pipeline, token
                    )
                    for name, (port, token) in asked.items()
                },
            )
            group = f"RESP, INCR by {CONNECTIONS} connections, pipelines of {pipeline}"
            for other, at_least in zip(list(asked)[1:], targets):
                yield Line(group, other, statistics.median(results[other]), "/s")
                yield Line(
                    group,
                    "snowmint serve",
                    statistics.median(results["snowmint"]),
                    "/s",
                    of=other,
                    ratio=ratio(results, "snowmint", other),
                    at_least=at_least,
                )


def leaf(directory: Path, rounds: int, seconds: int, port: int) -> Iterator[Line]:
    own = f"http://127.0.0.1:{port}/api/segment/get/orders"
    group = f"Leaf's path, {CONNECTIONS} connections"
    with counting(directory) as spring:
        asked = {"snowmint serve": own, "Spring Boot, a counter alone": spring}
        results = in_turn(
            rounds,
            {
                name: lambda url=url: requests_a_second(url, None, seconds)[0]
                for name, url in asked.items()
            },
        )
    other = "Spring Boot, a counter alone"
    yield Line(group, other, statistics.median(results[other]), "/s")
    median, times = statistics.median(results["snowmint serve"]), ratio(results, "snowmint serve", other)
    yield Line(group, "snowmint serve", median, "/s", of=other, ratio=times, at_least=3.0)


def http(directory: Path, rounds: int, seconds: int, port: int, token: str) -> Iterator[Line]:
    post = directory / "post.lua"
    post.write_text(POST.format(token=token))
    base = f"http://127.0.0.1:{port}"
    asked = {
        "an empty answer": (f"{base}/healthz", None),
        "one ID": (f"{base}/v1/ids/ids", post),
        "one number": (f"{base}/v1/ids/orders", post),
        "a range": (f"{base}/v1/ids/orders?count={RANGE}&form=ranges", post),
    }
    rates: dict[str, list[float]] = {name: [] for name in asked}
    slowest: dict[str, list[float]] = {name: [] for name in asked}
    for _ in range(rounds):
        for name, (url, script) in asked.items():
            rate, p99 = requests_a_second(url, script, seconds)
            rates[name].append(rate)
            slowest[name].append(p99)
    empty = "an empty answer"
    group = f"HTTP, {CONNECTIONS} connections"
    yield Line(group, empty, statistics.median(rates[empty]), "/s")
    for name in ("one ID", "one number"):
        median = statistics.median(rates[name])
        yield Line(group, name, median, "/s", of=empty, ratio=ratio(rates, name, empty), at_least=0.9)
        yield Line(
            group,
            f"{name}, the slowest in 100",
            statistics.median(slowest[name]),
            "ms",
            of=empty,
            ratio=ratio(slowest, name, empty),
            at_most=1.5,
        )
    numbers = statistics.median(rates["a range"]) * RANGE / 1e6
    yield Line(group, f"numbers as ranges of {RANGE:,}", numbers, "M/s", at_least=50)


def footprint(directory: Path, tags: int, connections: int) -> Iterator[Line]:
    home = directory / f"{tags}"
    home.mkdir()
    store = f"sqlite:{home / 'tags.db'}"
    names = [f"tag{at}" for at in range(tags)]
    create = [SNOWMINT, "segment", "create", f"{store}?create=true", names[0]]
    subprocess.run(create, check=True, capture_output=True)
    # As the command would make them, one process each.
    with contextlib.closing(sqlite3.connect(home / "tags.db")) as database:
        copied = database.execute("SELECT * FROM snowmint_segment")
        columns = [column[0] for column in copied.description]
        row = dict(zip(columns, copied.fetchone()))
        marks = ", ".join("?" for _ in columns)
        rows = ([{**row, "tag": name}[column] for column in columns] for name in names[1:])
        with database:
            database.executemany(f"INSERT INTO snowmint_segment VALUES ({marks})", rows)
    config = directory / "tags.toml"
    lines = [f'{name} = "segment+{store}?tag={name}"' for name in names]
    config.write_text("\n".join(["[sources]", *lines]))
    with waited_on(directory, connections, "--config", config) as (pid, memory):
        threads = len(os.listdir(f"/proc/{pid}/task"))
        files = [os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir()]
    group = f"{tags:,} tags, {connections:,} connections"
    at_most = 32 if tags <= 1_000 else None
    yield Line(group, "memory", memory, "MiB", at_most=at_most)
    yield Line(group, "threads", threads, "", at_most=16)
    of_store = sum("tags.db" in file for file in files)
    yield Line(group, "open files of the store", of_store, "", at_most=16)
    secured, context = certificate(home)
    settings = ("--config", config, *secured)
    with waited_on(directory, connections, *settings, context=context) as (_, memory):
        at_most = 96 if tags <= 1_000 else None
        yield Line(group, "memory, with TLS", memory, "MiB", at_most=at_most)


@contextlib.contextmanager
def waited_on(
    directory: Path, connections: int, *settings: object, context: ssl.SSLContext | None = None
) -> Iterator[tuple[int, float]]:
    """A service whose clients are silent: its process, and its memory in MiB."""
    with service(directory, *settings) as (port, _, pid), contextlib.ExitStack() as stack:
        for _ in range(connections):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            if context:
                secured = context.wrap_socket(connection, server_hostname="localhost")
                connection = stack.enter_context(secured)
            connection.sendall(b"POST /v1/ids/tag0 HTTP/1.1\r\nHost: a\r\n\r\n")
            connection.recv(1_000)
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        yield pid, pages * PAGE / MEBIBYTE


def certificate(directory: Path) -> tuple[list[object], ssl.SSLContext]:
    """Settings of a service that has one, and what its clients trust."""
    files = directory / "server.pem", directory / "server.key"
    asked = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90"
    asked += " -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    command = [*asked.split(), "-out", files[0], "-keyout", files[1]]
    subprocess.run(command, check=True, capture_output=True)
    settings = ["--tls-certificate", files[0], "--tls-key", files[1]]
    return settings, ssl.create_default_context(cafile=files[0])


def start(directory: Path, rounds: int, arguments: list[str]) -> Line:
    spans = []
    for _ in range(rounds):
        begun = time.perf_counter()
        with service(directory, *arguments) as (port, *_):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=60):
                spans.append(1_000 * (time.perf_counter() - begun))
    return Line("start", "from the start to ready", statistics.median(spans), "ms", at_most=200)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for form in ("json", "markdown", "quick"):
        parser.add_argument(f"--{form}", action="store_true")
    wanted = parser.parse_args()
    rounds, seconds, count = (1, 1, 2_000) if wanted.quick else (7, 3, 200_000)
    footprints = [(20, 20)] if wanted.quick else [(1_000, 1_000), (10_000, 100)]
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        store = f"sqlite:{directory / 'ids.db'}"
        create = [SNOWMINT, "segment", "create", f"{store}?create=true", "orders"]
        subprocess.run([*create, "--step", "1000000"], check=True, capture_output=True)
        sources = ["--source", f"ids=snowflake+{store}"]
        sources += ["--source", f"orders=segment+{store}?tag=orders", "--fronts-leaf", "true"]
        lines = [start(directory, rounds, sources)]
        # As it is operated: with tokens, their rates and figures; Leaf's clients have none.
        tokens = ("--tokens-file", directory / "tokens.toml")
        create = [SNOWMINT, "token", "create", "--file", tokens[1], "--name", "bench"]
        create += ["--sources", "*", "--rate", "1000000000"]
        token = subprocess.run(create, check=True, capture_output=True, text=True).stdout.strip()
        sources += [*tokens, "--tokens-fronts", "open"]
        with service(directory, *sources) as (http_port, resp_port, _):
            lines += http(directory, rounds, seconds, http_port, token)
            lines += resp(directory, rounds, count, resp_port, token)
            lines += leaf(directory, rounds, seconds, http_port)
        for tags, connections in footprints:
            lines += footprint(directory, tags, connections)
    form = as_json if wanted.json else markdown if wanted.markdown else plain
    print(form(lines))


if __name__ == "__main__":
    main()
