# --8<-- [start:app]
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from snowmint import SnowmintError
from snowmint.pydantic import Id
from sqlalchemy import select
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import Session

import ids
import public
from database import new_session
from models import Line, Order


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    ids.flake.check()  # a wrong URL, or a store without tables, ends the start here
    yield


app = FastAPI(lifespan=lifespan)
app.include_router(public.router)
# --8<-- [end:app]


# --8<-- [start:errors]
@app.exception_handler(SnowmintError)
@app.exception_handler(StatementError)
def no_id_now(request: Request, error: SnowmintError | StatementError) -> JSONResponse:
    cause = error.orig if isinstance(error, StatementError) else error
    if not isinstance(cause, SnowmintError) or isinstance(cause, ValueError):
        raise error  # another error of the database, or a mistake of the program
    return JSONResponse({"detail": cause.code}, 503)
# --8<-- [end:errors]


# --8<-- [start:json]
class NewOrder(BaseModel):
    customer: str
    items: list[str] = []


class NewLine(BaseModel):
    order_id: Id
    item: str


class LineOut(BaseModel):
    id: Id
    order_id: Id
    item: str


class OrderOut(BaseModel):
    id: Id
    customer: str
    lines: list[LineOut]
# --8<-- [end:json]


# --8<-- [start:routes]
def session() -> Iterator[Session]:
    with new_session() as session:
        yield session


Database = Annotated[Session, Depends(session)]


@app.post("/orders", status_code=201, response_model=OrderOut)
def add_order(new: NewOrder, session: Database) -> Any:
    order = Order(customer=new.customer, lines=[Line(item=item) for item in new.items])
    session.add(order)
    session.commit()
    return order


@app.post("/lines", status_code=201, response_model=LineOut)
def add_line(new: NewLine, session: Database) -> Any:
    if session.get(Order, new.order_id) is None:
        raise HTTPException(404)
    line = Line(order_id=new.order_id, item=new.item)
    session.add(line)
    session.commit()
    return line


@app.get("/orders", response_model=list[OrderOut])
def list_orders(session: Database, after: Id = 0) -> Any:
    """A page of orders. For the next page, pass the last ID of this one as `after`."""
    return session.scalars(select(Order).where(Order.id > after).order_by(Order.id).limit(50))


@app.get("/orders/{id}", response_model=OrderOut)
def show_order(id: Id, session: Database) -> Any:
    order = session.get(Order, id)
    if order is None:
        raise HTTPException(404)
    return order
# --8<-- [end:routes]
