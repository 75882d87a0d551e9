# --8<-- [start:imports]
"""Uses the tables: IDs and foreign keys, and pages by time."""
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

import ids
from models import Line, Order


# --8<-- [end:imports]
# --8<-- [start:relationship]
def add_order(session: Session, customer: str, items: list[str]) -> Order:
    """The relationship sets order_id."""
    order = Order(customer=customer, lines=[Line(item=item) for item in items])
    session.add(order)
    session.commit()  # the IDs are made here
    return order
# --8<-- [end:relationship]


# --8<-- [start:flush]
def add_order_by_flush(session: Session, customer: str, item: str) -> Order:
    """The flush makes the ID of the order."""
    order = Order(customer=customer)
    session.add(order)
    assert order.id is None
    session.flush()
    session.add(Line(order_id=order.id, item=item))
    session.commit()
    return order
# --8<-- [end:flush]


# --8<-- [start:before]
def add_order_with_its_id(session: Session, customer: str, item: str) -> int:
    """The ID is known before any statement: put it in a log, a file name or another system."""
    id = ids.new_id()
    session.add_all([Order(id=id, customer=customer), Line(order_id=id, item=item)])
    session.commit()
    return id
# --8<-- [end:before]


# --8<-- [start:time]
def orders_between(session: Session, begin: datetime, end: datetime) -> Sequence[Order]:
    """The time is in the ID, so the primary key's index finds them."""
    first, behind = ids.flake.layout.min_id(begin), ids.flake.layout.min_id(end)
    chosen = select(Order).where(Order.id >= first, Order.id < behind)
    return session.scalars(chosen.order_by(Order.id)).all()
# --8<-- [end:time]
