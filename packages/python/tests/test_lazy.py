"""Sources that open at their first use: imports, threads, forks, notebooks."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from test_forks import run

import snowmint
from snowmint.sqlalchemy import Id


def until(check: Any, code: str) -> None:
    """Calls until another error, or none, is raised: a failure is repeated for up to half a second."""
    for _ in range(200):
        try:
            check()
        except snowmint.SnowmintError as error:
            assert error.code == code
            time.sleep(0.02)
        else:
            return
    pytest.fail(f"{code} for ever")


def test_a_wrong_url_is_refused_at_once() -> None:
    for url in ("nonsense", "snowflake+oracle:x", "segment+sqlite:ids.db?tga=orders", "uuid:?version=5"):
        with pytest.raises(snowmint.SnowmintError):
            snowmint.open(url, lazy=True)
    with pytest.raises(snowmint.ParameterError):
        snowmint.Segment.open("snowflake:?worker_id=7", lazy=True)
    with pytest.raises(TypeError):
        snowmint.open("uuid:", True)  # type: ignore[misc]


@pytest.mark.parametrize("kind", ["snowflake", "segment", "daily", "sequences", "ring", "uuid"])
def test_every_class_opens_late(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "ids.db"
    ring = "&ring=64" if kind == "ring" else ""
    tag = "" if ring or kind == "snowflake" else "tag=orders"
    name = kind if kind != "ring" else "snowflake"
    url = "uuid:" if kind == "uuid" else f"{name}+sqlite:{file}?{tag}{ring}"
    classes: dict[str, Any] = {
        "snowflake": snowmint.Snowflake,
        "segment": snowmint.Segment,
        "daily": snowmint.Daily,
        "sequences": snowmint.Sequences,
        "ring": snowmint.Ring,
        "uuid": snowmint.UuidSource,
    }
    source = snowmint.open(url, lazy=True)
    assert type(source) is type(classes[kind].open(url, lazy=True)) is classes[kind]
    assert repr(source).startswith("<snowmint.") or kind == "uuid"
    assert source.stats().kind == name and not source.stats().is_closed
    if kind in ("snowflake", "ring"):
        assert source.layout == snowmint.Layout.TWITTER
    elif kind != "uuid":
        assert source.tag == "orders"
    assert not file.exists()
    if kind != "uuid":
        with pytest.raises(snowmint.StoreError) as missing:
            source.check()
        assert missing.value.code == "store_missing"
    snowmint.SqliteStore(file, create=True).ensure_tag("orders")
    until(source.check, "store_missing")
    if kind == "uuid":
        source.next_uuid()
    elif kind == "sequences":
        assert source.next(7) < source.next(7) and source.keys_per_section == 100_000
    else:
        assert source.next_id() < source.next_id()
    with source:
        pass


def test_each_way_of_minting_opens_it(tmp_path: Path) -> None:
    url = f"snowflake+sqlite:{tmp_path}/ids.db?create=true"

    async def awaited(source: snowmint.Snowflake) -> int:
        return await source.next_id_async()

    for mint in (
        lambda source: source.next_id(),
        lambda source: next(source),
        lambda source: source.next_ids(100)[99],
        lambda source: source.next_id_within(5000),
        lambda source: asyncio.run(awaited(source)),
    ):
        with snowmint.Snowflake.open(url, lazy=True) as source:
            assert mint(source) > 0
    with snowmint.Snowflake.open(url, lazy=True) as source:
        assert source.try_next_id() is None
        while (id := source.try_next_id()) is None:
            time.sleep(0.001)
        assert id > 0


def test_a_source_closed_before_its_first_use_is_never_opened(tmp_path: Path) -> None:
    source = snowmint.open(f"snowflake+sqlite:{tmp_path}/ids.db?create=true", lazy=True)
    source.close()
    with pytest.raises(snowmint.ClosedError):
        source.next_id()
    assert source.stats().is_closed and not (tmp_path / "ids.db").exists()


def test_threads_open_it_once(tmp_path: Path) -> None:
    # A second generator with this worker ID would be refused.
    source = snowmint.Snowflake.open(f"snowflake:?worker_id=7&state={tmp_path}", lazy=True)
    minted: list[int] = []
    threads = [threading.Thread(target=lambda: minted.extend(source.next_ids(500))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(minted)) == 4000


def test_a_module_needs_no_store_until_a_row_is_made(tmp_path: Path) -> None:
    flake = snowmint.Snowflake.open(f"snowflake+sqlite:{tmp_path}/ids.db", lazy=True)

    class Base(DeclarativeBase):
        pass

    class Order(Base):
        __tablename__ = "orders"
        id: Mapped[int] = mapped_column(Id, primary_key=True, default=flake.next_id)

    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    assert not (tmp_path / "ids.db").exists()
    snowmint.SqliteStore(tmp_path / "ids.db", create=True)
    with Session(engine) as session:
        session.add(order := Order())
        session.commit()
        assert flake.layout.decode(order.id).worker_id == flake.stats().worker_id


def test_a_cell_that_runs_again_says_how_or_works(tmp_path: Path) -> None:
    url = f"snowflake:?worker_id=7&state={tmp_path}"
    cell: dict[str, Any] = {"snowmint": snowmint, "url": url}
    exec("flake = snowmint.open(url)", cell)
    with pytest.raises(snowmint.WorkerError, match="this process itself holds worker 7 since") as refused:
        exec("flake = snowmint.open(url)", cell)
    assert refused.value.code == "worker_in_use" and "close" in str(refused.value)
    cell["flake"].close()
    last = 0
    for _ in range(3):
        # The source of the run before is released before the new one opens.
        exec("flake = snowmint.open(url, lazy=True); id = flake.next_id()", cell)
        assert cell["id"] > last
        last = cell["id"]


def test_another_process_that_holds_the_worker_id_is_named_as_such(tmp_path: Path) -> None:
    url = f"snowflake:?worker_id=7&state={tmp_path}"
    script = "import snowmint, sys; f = snowmint.open(sys.argv[1]); print(1, flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", script, url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin is not None and other.stdout is not None
        other.stdout.readline()
        with pytest.raises(snowmint.WorkerError, match="another process holds worker 7"):
            snowmint.open(url)
        other.stdin.close()


FORKING = """
import snowmint, threading
url = "snowflake+sqlite:" + sys.argv[1] + "/ids.db?create=true"
for used in (False, True):
    flake = snowmint.open(url, lazy=True)
    if used:
        thread = threading.Thread(target=flake.next_id)
        thread.start()
    readers = []
    for _ in range(20):
        reader, writer = os.pipe()
        def mint():
            os.write(writer, str((flake.next_id(), flake.stats().worker_id)).encode())
        readers.append((fork(mint), reader))
        os.close(writer)
    if used:
        thread.join()
    ours = (flake.next_id(), flake.stats().worker_id)
    children = []
    for pid, reader in readers:
        await_child(pid)
        children.append(eval(os.read(reader, 99)))
        os.close(reader)
    ids = {id for id, _ in [ours, *children]}
    workers = {worker for _, worker in children}
    assert len(ids) == 21 and ours[1] not in workers, (ours, children)
    flake.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
def test_a_fork_before_or_during_the_first_use_is_safe(tmp_path: Path) -> None:
    run(FORKING, str(tmp_path))
