"""Orders as customers see them: by public IDs. models.py does not import this module, so migrations
need no keys."""
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException
from pydantic import BaseModel
from snowmint import PublicIdKeys, TextError
from snowmint.pydantic import PublicId
from sqlalchemy import select

from database import Database
from models import Line, Order
from routes import NewOrder

keys = PublicIdKeys.open("env:")  # the variable SNOWMINT_PUBLIC_ID_KEYS
order_ids, line_ids = keys.public_ids("order"), keys.public_ids("line")
router = APIRouter(prefix="/public")


class PublicLine(BaseModel):
    id: Annotated[int, PublicId(line_ids)]
    order_id: Annotated[int, PublicId(order_ids)]
    item: str


class PublicOrder(BaseModel):
    id: Annotated[int, PublicId(order_ids)]
    customer: str
    lines: list[PublicLine]


def order_of(id: str, session: Database) -> Order:
    """Returns the order in the path. A text that is no public ID is answered with 404."""
    try:
        order = session.get(Order, order_ids.decode(id))
    except TextError:
        order = None
    if order is None:
        raise HTTPException(404)
    return order


@router.post("/orders", status_code=201, response_model=PublicOrder)
def add_order(new: NewOrder, session: Database) -> Any:
    order = Order(customer=new.customer, lines=[Line(item=item) for item in new.items])
    session.add(order)
    session.commit()
    return order


@router.get("/orders/{id}", response_model=PublicOrder)
def show_order(order: Annotated[Order, Depends(order_of)]) -> Any:
    return order


@router.get("/orders", response_model=list[PublicOrder])
def list_orders(
    session: Database, after: Annotated[int | None, PublicId(order_ids)] = None
) -> Any:
    chosen = select(Order).where(Order.id > (after or 0))
    return session.scalars(chosen.order_by(Order.id).limit(50))
