# --8<-- [start:app]
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import snowmint
import snowmint.sqlalchemy
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel
from snowmint.pydantic import Id
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# In an application, both URLs come from the settings.
flake = snowmint.Snowflake.open("snowflake+memory:shop", lazy=True)
engine = create_async_engine("sqlite+aiosqlite://")  # or postgresql+psycopg://, postgresql+asyncpg://
new_session = async_sessionmaker(engine, expire_on_commit=False)


class Base(DeclarativeBase):
    pass


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(snowmint.sqlalchemy.Id, primary_key=True)  # no default
    customer: Mapped[str]


class OrderOut(BaseModel):
    id: Id
    customer: str


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    try:
        flake.check()
    except snowmint.SnowmintError as error:
        if error.code not in ("store_unavailable", "wait_timeout"):  # an outage ends by itself
            raise
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    yield


app = FastAPI(lifespan=lifespan)


@app.post("/orders", status_code=201, response_model=OrderOut)
async def add_order(customer: str) -> Any:
    order = Order(id=await flake.next_id_async(), customer=customer)
    async with new_session() as session:
        session.add(order)
        await session.commit()
    return order


@app.get("/orders/{id}", response_model=OrderOut)
async def show_order(id: Id) -> Any:
    async with new_session() as session:
        order = await session.get(Order, id)
    if order is None:
        raise HTTPException(404)
    return order
# --8<-- [end:app]


from fastapi.testclient import TestClient

with TestClient(app) as client:
    made = client.post("/orders", params={"customer": "ann"}).json()
    assert isinstance(made["id"], str)
    assert client.get(f"/orders/{made['id']}").json() == made
