import pytest
from snowmint import StoreError
from sqlalchemy import select

import ids
import tasks
from database import engine, new_session
from models import Base, Order

tasks.app.conf.task_always_eager = True


@pytest.fixture(autouse=True)
def tables() -> None:
    Base.metadata.drop_all(engine)
    Base.metadata.create_all(engine)


def orders() -> list[int]:
    with new_session() as session:
        return list(session.scalars(select(Order.id)))


def test_a_retry_adds_nothing_again() -> None:
    id = ids.new_id()
    for _ in range(2):
        tasks.add_order.delay(str(id), "ann")
    assert orders() == [id]


def test_a_task_outlives_an_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    outage = iter([StoreError("down", "store_unavailable")] * 5)
    new_ticket = ids.new_ticket

    def fails_at_first() -> int:
        for error in outage:
            raise error
        return new_ticket()

    monkeypatch.setattr(ids, "new_ticket", fails_at_first)
    id = ids.new_id()
    tasks.add_order.delay(str(id), "ann")
    assert orders() == [id]
