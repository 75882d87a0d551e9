"""A MariaDB database by its URL."""

from __future__ import annotations

import os
import re
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import database_server

import snowmint

RIGHTS = Path(__file__).parents[3] / "examples/mysql/rights.sql"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with database_server("mariadb") as url:
        yield url


@pytest.fixture
def database(server: str) -> Iterator[str]:
    """The URL of a new database."""
    name = f"test_{uuid.uuid4().hex}"
    found = re.search(r"@(.*):(\d+)/", server)
    assert found is not None
    client = ["mariadb", "--no-defaults", "-u", "root", "-h", found[1], "-P", found[2], "-e"]
    subprocess.run([*client, f"CREATE DATABASE {name}"], check=True)
    yield server.replace("/mysql?", f"/{name}?")
    subprocess.run([*client, f"DROP DATABASE {name}"], check=True)


def test_sources_of_a_database(database: str) -> None:
    store = snowmint.Store.open(f"{database}&create=true")
    store.create_tag("orders", step=10)
    with snowmint.open(f"segment+{database}&tag=orders&step=10") as orders:
        assert [orders.next_id() for _ in range(12)] == list(range(1, 13))
    sources = [snowmint.open(f"snowflake+{database}&layout=twitter") for _ in range(2)]
    ids = [source.next_id() for source in sources for _ in range(1_000)]
    assert len(set(ids)) == len(ids)
    assert len(store.workers()) == 2
    for source in sources:
        source.close()


def test_a_failed_opening_has_its_code(database: str) -> None:
    with pytest.raises(snowmint.StoreError) as raised:
        snowmint.open(f"snowflake+{database}")
    assert raised.value.code == "store_missing"
    with pytest.raises(snowmint.StoreError) as raised:
        snowmint.open(f"snowflake+{database.replace('root@', 'ann:S3CRET@')}")
    assert raised.value.code == "store_denied"
    assert "S3CRET" not in str(raised.value)


def test_a_user_with_the_rights_of_the_page_mints(database: str) -> None:
    snowmint.migrate(database)
    place = re.search(r"@(.*):(\d+)/(\w+)", database)
    assert place is not None
    user = f"shop_{uuid.uuid4().hex[:16]}"
    client = ["mariadb", "--no-defaults", "-u", "root", "-h", place[1], "-P", place[2], "-e"]
    grants = RIGHTS.read_text(encoding="utf-8").replace("'shop'@", f"'{user}'@")
    subprocess.run([*client, f"CREATE USER '{user}'@'%'"], check=True)
    try:
        url = database.replace("root@", f"{user}@")
        with pytest.raises(snowmint.StoreError) as refused:
            snowmint.open(f"snowflake+{url}")
        assert refused.value.code == "store_denied"
        subprocess.run([*client, grants.replace(" ids.", f" {place[3]}.")], check=True)
        snowmint.Store.open(url).create_tag("orders")
        with snowmint.open(f"segment+{url}&tag=orders") as orders:
            assert orders.next_id() == 1
        with snowmint.Snowflake.open(f"snowflake+{url}") as flake:
            flake.next_id()
    finally:
        subprocess.run([*client, f"DROP USER '{user}'@'%'"], check=True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
def test_a_forked_child_has_a_connection_of_its_own(database: str) -> None:
    snowmint.Store.open(f"{database}&create=true").create_tag("orders")
    with snowmint.open(f"segment+{database}&tag=orders&step=10") as orders:
        assert orders.next_id() == 1
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writer, f"{orders.next_id()}".encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as numbers:
            theirs = int(numbers.read())
        assert os.waitpid(child, 0)[1] == 0
        ours = [orders.next_id() for _ in range(100)]
        assert theirs not in ours
        assert len(set(ours)) == 100
