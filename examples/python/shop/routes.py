# --8<-- [start:json]
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path
from pydantic import AwareDatetime, BaseModel
from snowmint import LayoutError
from snowmint.pydantic import Id
from sqlalchemy import select
from sqlalchemy.orm import Session

import ids
from database import new_session
from models import Line, Order


class NewOrder(BaseModel):
    customer: str
    items: list[str] = []


class ChangedOrder(BaseModel):
    customer: str = ""  # a field that the request leaves out stays as it is


class NewLine(BaseModel):
    order_id: Id
    item: str


class LineOut(BaseModel):
    id: Id
    order_id: Id
    item: str


class OrderOut(BaseModel):
    id: Id
    ticket: int
    customer: str
    lines: list[LineOut]
# --8<-- [end:json]


# --8<-- [start:add]
router = APIRouter()


@router.post("/orders", status_code=201, response_model=OrderOut)
def add_order(new: NewOrder) -> Any:
    id = ids.new_id()  # known before the INSERT: for a log, a file's name or a task
    order = Order(id=id, customer=new.customer)
    order.lines = [Line(item=item) for item in new.items]  # get their IDs in the commit
    with new_session() as session:
        session.add(order)
        session.commit()
    return order


@router.post("/lines", status_code=201, response_model=LineOut)
def add_line(new: NewLine) -> Any:
    with new_session() as session:
        line = Line(order_id=find(session, new.order_id).id, item=new.item)
        session.add(line)
        session.commit()
    return line


def find(session: Session, id: int) -> Order:
    order = session.get(Order, id)
    if order is None:
        raise HTTPException(404)
    return order
# --8<-- [end:add]


# --8<-- [start:one]
@router.get("/orders/{id}", response_model=OrderOut)
def show_order(id: Id) -> Any:
    with new_session() as session:
        return find(session, id)


@router.patch("/orders/{id}", response_model=OrderOut)
def change_order(id: Id, changed: ChangedOrder) -> Any:
    with new_session() as session:
        order = find(session, id)
        for name, value in changed.model_dump(exclude_unset=True).items():
            setattr(order, name, value)
        session.commit()
    return order


@router.delete("/orders/{id}", status_code=204)
def remove_order(id: Id) -> None:
    with new_session() as session:
        session.delete(find(session, id))
        session.commit()


@router.get("/tickets/{ticket}", response_model=OrderOut)
def show_ticket(ticket: Annotated[int, Path(gt=0, lt=2**63)]) -> Any:
    with new_session() as session:
        order = session.scalar(select(Order).where(Order.ticket == ticket))
    if order is None:
        raise HTTPException(404)
    return order
# --8<-- [end:one]


# --8<-- [start:pages]
def first_id(time: datetime) -> int:
    try:
        return ids.flake.layout.min_id(time)
    except LayoutError:  # for example the year 1970
        raise HTTPException(422, "no ID has this time") from None


@router.get("/orders", response_model=list[OrderOut])
def list_orders(
    after: Id = 0,  # the last ID of the page before
    begin: AwareDatetime | None = None,
    end: AwareDatetime | None = None,
) -> Any:
    chosen = select(Order).where(Order.id > after)
    if begin is not None:
        chosen = chosen.where(Order.id >= first_id(begin))
    if end is not None:
        chosen = chosen.where(Order.id < first_id(end))
    with new_session() as session:
        return session.scalars(chosen.order_by(Order.id).limit(50)).all()
# --8<-- [end:pages]
