"""Sources of an ID service, by its protocol."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import snowmint
from snowmint import Segment


@pytest.fixture
def service(tmp_path: Path) -> Iterator[str]:
    """The address of a service with the tag `orders`, which `scripts/test-python` builds."""
    program = os.environ["SNOWMINT"]
    store = snowmint.SqliteStore(tmp_path / "ids.db", create=True)
    store.create_tag("orders", step=10)
    arguments = [
        "--http-listen=127.0.0.1:0",
        "--resp-listen=",
        "--admin-listen=",
        f"--leases-store=sqlite:{tmp_path}/ids.db",
    ]
    command, environment = [program, "serve", *arguments], {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        line = next(line for line in lines if "listening on http" in line)
        yield line.split("listening on ")[1].split()[0].rstrip("/")
        process.terminate()


def test_ranges_and_leases_of_a_service(service: str) -> None:
    with snowmint.open(f"{service}/orders") as orders:
        assert [orders.next_id() for _ in range(25)] == list(range(1, 26))
    flakes = [snowmint.open(f"snowflake+{service}?layout=twitter") for _ in range(2)]
    ids = [flake.next_id() for flake in flakes for _ in range(100)]
    assert len(set(ids)) == 200
    for flake in flakes:
        flake.close()


def test_a_tag_that_a_service_has_not_is_refused_where_it_is_opened(service: str) -> None:
    store = snowmint.Store.open(service)
    for call in (
        lambda: snowmint.open(f"{service}/nope"),
        lambda: Segment.open(f"segment+{service}?tag=nope"),
        lambda: Segment("nope", store=store),
    ):
        with pytest.raises(snowmint.SegmentError) as raised:
            call()
        assert raised.value.code == "unknown_tag"
    with Segment("orders", store=store) as orders:
        assert orders.try_next_id() == 1, "the first range is there"


def test_a_service_that_is_down_is_no_news_before_a_number_is_wanted() -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    orders = snowmint.open(f"http://127.0.0.1:{port}/orders?wait_ms=60000")
    with pytest.raises(snowmint.StoreError, match="check host, port and network"):
        orders.next_id_within(0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
@pytest.mark.parametrize("source", ["segment+{}?tag=orders&step=10", "snowflake+{}?layout=twitter"])
def test_a_forked_child_shares_neither_connection_nor_numbers(service: str, source: str) -> None:
    with snowmint.open(source.format(service)) as ids:
        before = [ids.next_id() for _ in range(5)]
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writer, " ".join(str(ids.next_id()) for _ in range(50)).encode())
            os._exit(0)
        os.close(writer)
        ours = [ids.next_id() for _ in range(50)]
        with os.fdopen(reader) as numbers:
            theirs = [int(number) for number in numbers.read().split()]
        assert os.waitpid(child, 0)[1] == 0
        assert len({*before, *ours, *theirs}) == 105
