"""Redis by its URL."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator

import pytest
from conftest import database_server

import snowmint


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with database_server("redis") as url:
        yield url


@pytest.fixture
def database(server: str) -> str:
    """The URL of an empty database."""
    url = f"{server}/{random.randrange(10_000)}"
    subprocess.run(["redis-cli", "-u", url, "FLUSHDB"], stdout=subprocess.DEVNULL, check=True)
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


def test_what_is_wrong_has_its_code(database: str) -> None:
    with pytest.raises(snowmint.StoreError) as raised:
        snowmint.open(f"segment+{database}?tag=orders")
    assert raised.value.code == "store_missing"
