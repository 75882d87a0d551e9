"""Code that a type checker must understand: it is checked under `mypy --strict`, and runs."""

from __future__ import annotations

import asyncio
import tempfile
from array import array
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Optional
from uuid import UUID

import numpy as np
from pydantic import BaseModel
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from snowmint import Layout, MemoryStore, Parts, Ring, Segment, SnowmintError, StallError, UuidSource
from snowmint import Sequences, Snowflake, Source, engine, error_codes, guess
from snowmint.pydantic import Id
from snowmint.sqlalchemy import Id as IdColumn


class Answer(BaseModel):
    id: Id
    parent: Optional[Id] = None


class Base(DeclarativeBase):
    pass


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(IdColumn, primary_key=True)


def allocate(tag: str, count: int) -> tuple[int, int]:
    return len(tag), len(tag) + count


def mint(flake: Snowflake) -> tuple[int, Optional[int], array[int], Iterator[int]]:
    return flake.next_id(), flake.try_next_id(), flake.next_ids(3), iter(flake)


def fill(flake: Snowflake) -> int:
    ids = np.empty(3, dtype=np.uint64)
    flake.fill(ids)
    flake.fill(array("Q", [0]))
    return len(flake.layout.decode_many(ids))


def opened_late() -> Segment:
    return Segment.open("segment+sqlite:ids.db?tag=orders", lazy=True)


def of_any(source: Source) -> int:
    return source.next_id()


async def later(flake: Snowflake) -> int:
    return await flake.next_id_async() + (await flake.next_ids_async(2))[0]


def main() -> None:
    with tempfile.TemporaryDirectory() as state:
        with Snowflake(worker_id=7, layout=Layout.DISCORD, state_directory=state) as flake:
            mint(flake)
            assert fill(flake) == 3
            ring: Ring = Ring.open(f"snowflake:?worker_id=8&layout=discord&state={state}&ring=16")
            with Snowflake.open(f"snowflake:?worker_id=9&layout=discord&state={state}") as other, ring:
                assert of_any(other) != of_any(ring)
            asyncio.run(later(flake))
            parts: Parts = flake.layout.decode(flake.next_id())
            when: datetime = parts.time
            assert flake.layout.min_id(when) <= flake.layout.max_id(when.astimezone(timezone.utc))
    store = MemoryStore()
    store.create_tag("orders", step=10)
    orders = Segment("orders", store=store, prefetch=engine.Prefetch.chain(2), step=engine.Step(10))
    own = Segment("own", allocate=allocate)
    first: int = next(orders) + own.next_id() + Sequences("chat", store=store).next(1)
    left: int = sum(bucket.left for bucket in orders.stats().buckets)
    failure = orders.stats().last_failure
    assert left > 0 and (failure is None or failure.time < datetime.now(timezone.utc))
    uuid: UUID = UuidSource(4).next_uuid()
    opened_late().close()
    names: list[str] = [code.name for code in error_codes()]
    presets: list[str] = [found.preset.name for found in guess(first + uuid.int % 2)]
    answered: int = Answer(id=Order(id=first).id).id
    assert answered == first
    try:
        engine.Snowflake("twitter", worker_id=1, reserved=0).next_id(1_700_000_000_000)
    except StallError as stall:
        action: str = engine.ClockPolicy.named("twitter").action(stall)
        assert action == "extend_grant" and stall.wait_ms == 0 and stall.code in names
    except SnowmintError:
        raise AssertionError(presets) from None


if __name__ == "__main__":
    main()
