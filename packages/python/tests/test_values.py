"""Redis, etcd and ZooKeeper by their URLs."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Iterator

import pytest
from conftest import database_server

import snowmint


@pytest.fixture(scope="module", params=["redis", "etcd", "zookeeper"])
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    with database_server(request.param) as url:
        yield url


@pytest.fixture
def database(server: str) -> str:
    """The URL of what nobody else uses."""
    name = uuid.uuid4()
    if server.startswith(("etcd:", "zookeeper:")):
        return f"{server}/test-{name}"
    url = f"{server}/{name.int % 10_000}"
    subprocess.run(["redis-cli", "-e", "-u", url, "FLUSHDB"], stdout=subprocess.DEVNULL, check=True)
    return url


def test_sources_of_a_database(database: str) -> None:
    store = snowmint.Store.open(f"{database}?create=true")
    store.create_tag("orders", step=10)
    with snowmint.open(f"segment+{database}?tag=orders&step=10") as orders:
        assert [orders.next_id() for _ in range(12)] == list(range(1, 13))
    sources = [snowmint.open(f"snowflake+{database}?layout=twitter") for _ in range(2)]
    ids = [source.next_id() for source in sources for _ in range(1_000)]
    assert len(set(ids)) == len(ids)
    assert len(store.workers()) == 2
    for source in sources:
        source.close()


def test_a_failed_opening_has_its_code(database: str) -> None:
    with pytest.raises(snowmint.StoreError) as raised:
        snowmint.open(f"segment+{database}?tag=orders")
    assert raised.value.code == "store_missing"
