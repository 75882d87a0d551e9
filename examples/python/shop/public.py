"""Orders as customers see them: by public IDs. models.py does not import this module, so migrations
need no keys."""
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException
from pydantic import BaseModel
from snowmint import PublicIdKeys, TextError
from snowmint.pydantic import PublicId

from database import new_session
from models import Order

# From the environment variable SNOWMINT_PUBLIC_ID_KEYS.
order_ids = PublicIdKeys.open("env:").public_ids("order")
router = APIRouter(prefix="/public")


class PublicOrder(BaseModel):
    id: Annotated[int, PublicId(order_ids)]
    customer: str


def order_id(id: str) -> int:
    """Reads the ID in the path: a text that is no public ID is answered by 404, not 422."""
    try:
        return order_ids.decode(id)
    except TextError:
        raise HTTPException(404) from None


@router.get("/orders/{id}", response_model=PublicOrder)
def show_order(id: Annotated[int, Depends(order_id)]) -> Any:
    with new_session() as session:
        order = session.get(Order, id)
    if order is None:
        raise HTTPException(404)
    return order
