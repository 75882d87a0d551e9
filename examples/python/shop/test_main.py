from collections.abc import Callable, Iterator

import pytest
import snowmint
from fastapi.testclient import TestClient
from snowmint.sqlalchemy import Id
from sqlalchemy import Column, MetaData, Table, insert

import main
import public
from database import engine
from models import Base

missing = snowmint.Snowflake.open("snowflake+sqlite:/missing/ids.db", lazy=True)


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
    line = client.post("/lines", json={"order_id": made["id"], "item": "soap"}).json()
    assert client.get(f"/orders/{made['id']}").json()["lines"] == [*made["lines"], line]


def test_an_integer_in_json_is_refused(client: TestClient) -> None:
    answer = client.post("/lines", json={"order_id": 2127519805170143232, "item": "soap"})
    assert answer.status_code == 422


def mint_without_a_store() -> int:
    return missing.next_id()


def insert_without_a_store() -> None:
    rows = Table("rows", MetaData(), Column("id", Id, primary_key=True, default=missing.next_id))
    with engine.begin() as connection:
        connection.execute(insert(rows))  # raises a StatementError


@pytest.mark.parametrize("fails", [mint_without_a_store, insert_without_a_store])
def test_no_id_is_503(client: TestClient, fails: Callable[[], None]) -> None:
    main.app.dependency_overrides[main.session] = fails
    answer = client.get("/orders")
    main.app.dependency_overrides.clear()
    assert (answer.status_code, answer.json()) == (503, {"detail": "store_missing"})


def test_pages_go_on_behind_an_id(client: TestClient) -> None:
    first, second = (client.post("/orders", json={"customer": name}).json() for name in ("ann", "bo"))
    assert client.get("/orders").json() == [first, second]
    assert client.get("/orders", params={"after": first["id"]}).json() == [second]


def test_customers_see_public_ids(client: TestClient) -> None:
    made = client.post("/orders", json={"customer": "ann"}).json()
    shown = public.order_ids.encode(int(made["id"]))
    assert client.get(f"/public/orders/{shown}").json() == {"id": shown, "customer": "ann"}
    # Nobody asks by the ID itself.
    assert client.get(f"/public/orders/{made['id']}").status_code == 404
