"""Orders as customers see them: by public IDs. models.py does not import this module, so migrations
need no keys."""
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel
from snowmint import PublicIdKeys
from snowmint.pydantic import PublicId

from database import new_session
from models import Line, Order
from routes import NewOrder, find

keys = PublicIdKeys.open("env:")  # the variable SNOWMINT_PUBLIC_ID_KEYS
OrderId = Annotated[int, PublicId(keys.public_ids("order"))]
LineId = Annotated[int, PublicId(keys.public_ids("line"))]
router = APIRouter(prefix="/public")


class PublicLine(BaseModel):
    id: LineId
    order_id: OrderId
    item: str


class PublicOrder(BaseModel):
    id: OrderId
    customer: str
    lines: list[PublicLine]


@router.post("/orders", status_code=201, response_model=PublicOrder)
def add_order(new: NewOrder) -> Any:
    order = Order(customer=new.customer, lines=[Line(item=item) for item in new.items])
    with new_session() as session:
        session.add(order)
        session.commit()
    return order


@router.get("/orders/{id}", response_model=PublicOrder)
def show_order(id: OrderId) -> Any:
    with new_session() as session:
        return find(session, id)
