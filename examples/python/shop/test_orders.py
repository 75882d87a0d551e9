from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from functools import partial
from types import SimpleNamespace

import pytest
import snowmint.engine
from sqlalchemy.orm import Session

import ids
import orders
from database import engine, new_session
from models import Base, Order


@pytest.fixture
def session() -> Iterator[Session]:
    Base.metadata.drop_all(engine)
    Base.metadata.create_all(engine)
    with new_session() as session:
        yield session


def test_lines_belong_to_their_order(session: Session) -> None:
    order = orders.add_order(session, "ann", ["tea", "rice"])
    assert [line.order_id for line in order.lines] == [order.id] * 2
    flushed = orders.add_order_by_flush(session, "bo", "soap")
    known = orders.add_order_with_its_id(session, "cy", "salt")
    assert [line.item for line in flushed.lines] == ["soap"]
    assert session.get_one(Order, known).lines[0].item == "salt"
    assert order.id < flushed.id < known


def test_the_time_of_an_order_is_in_its_id(session: Session) -> None:
    order = orders.add_order(session, "ann", [])
    made = ids.flake.layout.decode(order.id).time
    now = datetime.now(timezone.utc)
    assert abs(made - now) < timedelta(minutes=1)
    minute = timedelta(minutes=1)
    assert orders.orders_between(session, now - minute, now + minute) == [order]
    assert orders.orders_between(session, now - 9 * minute, now - 8 * minute) == []


# --8<-- [start:exact]
def exact_ids() -> SimpleNamespace:
    """Takes the place of ids.flake, also when main.py starts."""
    layout = snowmint.Layout.TWITTER
    next_id = partial(snowmint.engine.Snowflake(layout, worker_id=378).next_id, 1656432460105)
    return SimpleNamespace(next_id=next_id, layout=layout, check=lambda: None)


def test_ids_of_a_time_of_yours(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "flake", exact_ids())
    order = orders.add_order(session, "ann", ["tea"])
    assert (order.id, order.lines[0].id) == (1541815603606036480, 1541815603606036481)
# --8<-- [end:exact]
