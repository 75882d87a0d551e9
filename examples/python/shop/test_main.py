# --8<-- [start:client]
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

import main
from database import engine
from models import Base


@pytest.fixture
def client() -> Iterator[TestClient]:
    Base.metadata.drop_all(engine)
    Base.metadata.create_all(engine)
    with TestClient(main.app) as client:  # `with` runs the lifespan
        yield client


def test_ids_leave_and_return_as_strings(client: TestClient) -> None:
    made = client.post("/orders", json={"customer": "ann", "items": ["tea", "rice"]}).json()
    assert isinstance(made["id"], str)
    assert [line["order_id"] for line in made["lines"]] == [made["id"]] * 2
    assert client.get(f"/orders/{made['id']}").json() == made


def test_customers_see_public_ids(client: TestClient) -> None:
    made = client.post("/public/orders", json={"customer": "ann", "items": ["tea"]}).json()
    assert made["id"].startswith("order_")
    assert client.get(f"/public/orders/{made['id']}").json() == made
# --8<-- [end:client]


from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace

import ids
import routes
import snowmint
from snowmint.sqlalchemy import Id
from sqlalchemy import Column, MetaData, Table, create_engine, insert, inspect, select
from sqlalchemy.pool import QueuePool
from test_orders import exact_ids

missing = snowmint.Snowflake.open("snowflake+sqlite:/missing/ids.db", lazy=True)
down = create_engine("postgresql+psycopg://shop@127.0.0.1:1/shop")
busy = create_engine("sqlite://", poolclass=QueuePool, pool_size=1, max_overflow=0, pool_timeout=0)


def test_an_id_refers_to_its_order(client: TestClient) -> None:
    made = client.post("/orders", json={"customer": "ann", "items": ["tea"]}).json()
    line = client.post("/lines", json={"order_id": made["id"], "item": "soap"}).json()
    assert client.get(f"/orders/{made['id']}").json()["lines"] == [*made["lines"], line]
    # A client may have rounded an integer.
    wrong = client.post("/lines", json={"order_id": int(made["id"]), "item": "soap"})
    assert wrong.status_code == 422


def test_an_order_is_changed_and_removed(client: TestClient) -> None:
    made = client.post("/orders", json={"customer": "ann", "items": ["tea"]}).json()
    path = f"/orders/{made['id']}"
    assert client.patch(path, json={}).json() == made
    assert client.patch(path, json={"customer": "bo"}).json() == {**made, "customer": "bo"}
    assert client.patch(path, json={"customer": None}).status_code == 422
    assert client.delete(path).status_code == 204
    assert client.get(path).status_code == client.delete(path).status_code == 404


def test_an_order_is_found_by_its_ticket(client: TestClient) -> None:
    first, second = (client.post("/orders", json={"customer": "ann"}).json() for _ in range(2))
    assert second["ticket"] == first["ticket"] + 1
    assert client.get(f"/tickets/{first['ticket']}").json() == first
    assert client.get(f"/tickets/{2**63 - 1}").status_code == 404
    assert client.get(f"/tickets/{2**63}").status_code == 422


def test_pages_go_on_behind_an_id(client: TestClient) -> None:
    first, second = (client.post("/orders", json={"customer": name}).json() for name in ("ann", "bo"))
    assert client.get("/orders").json() == [first, second]
    assert client.get("/orders", params={"after": first["id"]}).json() == [second]


def test_pages_by_time(client: TestClient) -> None:
    made = client.post("/orders", json={"customer": "ann"}).json()
    now = datetime.now(timezone.utc)
    before, behind = ((now + timedelta(minutes=m)).isoformat() for m in (-1, 1))
    assert client.get("/orders", params={"begin": before, "end": behind}).json() == [made]
    for outside in ({"begin": behind}, {"end": before}):
        assert client.get("/orders", params=outside).json() == []
    assert client.get("/orders", params={"begin": "1970-01-01T00:00:00Z"}).status_code == 422


@pytest.mark.parametrize("id", [2**63, 2**64 - 1, 2**64, -1, "tea"])
def test_what_no_column_holds_is_no_id(client: TestClient, id: object) -> None:
    client.post("/orders", json={"customer": "ann"})
    assert client.get(f"/orders/{id}").status_code == 422
    assert client.get("/orders", params={"after": str(id)}).status_code == 422
    assert client.post("/lines", json={"order_id": str(id), "item": "tea"}).status_code == 422
    assert client.get(f"/orders/{2**63 - 1}").status_code == 404


def mint_without_a_store() -> None:
    missing.next_id()


def insert_without_a_store() -> None:
    rows = Table("rows", MetaData(), Column("id", Id, primary_key=True, default=missing.next_id))
    with engine.begin() as connection:
        connection.execute(insert(rows))  # raises a StatementError


def select_without_a_database() -> None:
    with down.begin() as connection:
        connection.execute(select(1))


def select_without_a_connection() -> None:
    with busy.connect(), busy.connect():
        pass


@pytest.mark.parametrize(
    ("fails", "code"),
    [
        (mint_without_a_store, "store_missing"),
        (insert_without_a_store, "store_missing"),
        (select_without_a_database, "database_unavailable"),
        (select_without_a_connection, "database_unavailable"),
    ],
)
def test_an_outage_is_503(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, fails: Callable[[], None], code: str
) -> None:
    monkeypatch.setattr(routes, "new_session", fails)
    answer = client.get("/orders")
    assert (answer.status_code, answer.json()) == (503, {"detail": code})


@pytest.mark.parametrize(
    ("code", "starts"),
    [("store_unavailable", True), ("wait_timeout", True), ("store_denied", False)],
)
def test_an_outage_does_not_end_the_start(
    monkeypatch: pytest.MonkeyPatch, code: str, starts: bool
) -> None:
    def check() -> None:
        raise snowmint.StoreError("no answer", code)

    monkeypatch.setattr(ids, "flake", SimpleNamespace(check=check))
    with nullcontext() if starts else pytest.raises(snowmint.StoreError), TestClient(main.app):
        pass


def test_the_application_starts_with_exact_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    Base.metadata.drop_all(engine)
    Base.metadata.create_all(engine)
    monkeypatch.setattr(ids, "flake", exact_ids())
    with TestClient(main.app) as client:
        made = client.post("/orders", json={"customer": "ann"}).json()
        begin = {"begin": "2022-06-28T16:07:40Z"}
        assert made["id"] == "1541815603606036480"
        assert client.get("/orders", params=begin).json() == [made]


def test_an_answer_holds_no_connection(client: TestClient) -> None:
    made = client.post("/orders", json={"customer": "ann", "items": ["tea"]}).json()
    order = routes.show_order(int(made["id"]))
    assert inspect(order).detached and [line.item for line in order.lines] == ["tea"]


def test_nobody_asks_by_the_id_itself(client: TestClient) -> None:
    made = client.post("/orders", json={"customer": "ann"}).json()
    assert client.get(f"/public/orders/{made['id']}").status_code == 422
