"""A PostgreSQL database by its URL."""

from __future__ import annotations

import os
import re
import subprocess
import uuid
from pathlib import Path

import pytest

import snowmint


EXAMPLES = Path(__file__).parents[3] / "examples/postgresql"
RIGHTS = EXAMPLES / "rights.sql"


@pytest.fixture
def database(postgres: str) -> str:
    return postgres


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
    ann = database.replace("postgres@", "ann:S3CRET@")
    down = re.sub(r":\d+/", ":1/", ann)
    for url, code in [(ann, "store_denied"), (down, "store_unavailable")]:
        with pytest.raises(snowmint.StoreError) as raised:
            snowmint.open(f"snowflake+{url}")
        assert raised.value.code == code
        assert "S3CRET" not in f"{raised.value!r} {raised.value}"


def test_a_user_with_the_rights_of_the_page_mints(database: str) -> None:
    snowmint.migrate(database)
    user = f"shop_{uuid.uuid4().hex}"
    grants = re.sub(r"\bshop\b", user, RIGHTS.read_text(encoding="utf-8"))
    client = ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", database, "-c"]
    subprocess.run([*client, f"CREATE ROLE {user} LOGIN"], check=True)
    try:
        url = database.replace("postgres@", f"{user}@")
        with pytest.raises(snowmint.StoreError) as refused:
            snowmint.open(f"snowflake+{url}")
        assert refused.value.code == "store_denied"
        subprocess.run([*client, grants], check=True)
        snowmint.Store.open(url).create_tag("orders")
        with snowmint.open(f"segment+{url}&tag=orders") as orders:
            assert orders.next_id() == 1
        with snowmint.Snowflake.open(f"snowflake+{url}") as flake:
            flake.next_id()
            flake.close(wait_ms=5_000)
    finally:
        subprocess.run([*client, f"DROP OWNED BY {user}; DROP ROLE {user}"], check=True)


def test_an_operator_vouches_for_a_server_that_took_anothers_place(database: str) -> None:
    store = snowmint.Store.open(f"{database}&create=true")
    store.create_tag("orders", step=10)
    noted = "UPDATE snowmint.snowmint_schema SET tag_incarnation = 'another'; "
    noted += "UPDATE snowmint.snowmint_segment SET incarnation = 'another'"
    subprocess.run(["psql", "-X", "-q", "-d", database, "-c", noted], check=True)
    with pytest.raises(snowmint.StoreError) as raised:
        store.create_tag("new")
    assert raised.value.code == "incarnation_changed"
    server = str(raised.value).split("--server ")[1].split()[0]
    with pytest.raises(snowmint.StoreError) as mistaken:
        store.vouch("another", raise_by_steps=0)
    assert mistaken.value.code == "incarnation_changed"
    rows = store.vouch(server, raise_by_steps=2, new_from=501)
    assert [(row.tag, row.next) for row in rows] == [("orders", 21)]
    store.create_tag("new")
    assert store.allocate("new").start == 501
    assert store.vouch(server, raise_by_steps=0) == []
    with pytest.raises(snowmint.ParameterError) as unsupported:
        snowmint.MemoryStore().vouch("any", raise_by_steps=0)
    assert unsupported.value.code == "unsupported"


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


def test_invoices_are_numbered_without_gaps(database: str) -> None:
    text = (EXAMPLES / "gapless.sql").read_text(encoding="utf-8")
    tables, count = re.findall(r"\[start:\w+\]\n(.*?)-- --8<-- \[end:", text, re.S)
    client = ["psql", "-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-d", database, "-c"]

    def run(statement: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*client, statement], capture_output=True, text=True, check=False)

    assert run(tables).returncode == 0
    assert run(count).stdout.split() == ["1"]
    assert run(count.replace("'ann'", "NULL")).returncode != 0
    assert run(count).stdout.split() == ["2"]
