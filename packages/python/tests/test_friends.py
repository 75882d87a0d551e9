"""The libraries that snowmint is used with."""

import json
from datetime import datetime, timezone
from typing import Any
from unittest.mock import Mock

import pytest

import snowmint
import snowmint.engine
from snowmint import Layout, Snowflake

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def test_a_sqlalchemy_column_default(flake: Snowflake) -> None:
    from sqlalchemy import String, create_engine, select
    from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
    from snowmint.sqlalchemy import Id

    class Base(DeclarativeBase):
        pass

    class Order(Base):
        __tablename__ = "orders"
        id: Mapped[int] = mapped_column(Id, primary_key=True, default=flake.next_id)
        item: Mapped[str] = mapped_column(String(40))

    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(Order(item=f"item {number}") for number in range(100))
        session.commit()
        ids = list(session.scalars(select(Order.id).order_by(Order.id)))
        since = Layout.TWITTER.min_id(EPOCH.replace(year=2020))
        assert len(session.scalars(select(Order).where(Order.id >= since)).all()) == 100
    assert len(set(ids)) == 100
    assert {Layout.TWITTER.decode(id).worker_id for id in ids} == {7}


def test_a_django_model_field(flake: Snowflake, django_shop: None) -> None:
    from django.db import connection, models

    class Order(models.Model):
        id = models.BigIntegerField(primary_key=True, default=flake.next_id, editable=False)
        item = models.CharField(max_length=40)

        class Meta:
            app_label = "shop"

    with connection.schema_editor() as editor:
        editor.create_model(Order)
    Order.objects.bulk_create(Order(item=f"item {number}") for number in range(100))
    Order.objects.create(item="one more")
    ids = list(Order.objects.order_by("id").values_list("id", flat=True))
    assert len(set(ids)) == 101
    assert {Layout.TWITTER.decode(id).worker_id for id in ids} == {7}


def test_a_numpy_column(store: snowmint.Store) -> None:
    import numpy as np

    with snowmint.Segment("orders", store=store, step=1 << 20) as orders:
        ids = np.empty(1_000_000, dtype=np.uint64)
        orders.fill(ids)
    assert ids[0] == 1 and (np.diff(ids) == 1).all()
    with pytest.raises(ValueError):
        orders.fill(np.empty(8, dtype=">u8"))
    with pytest.raises(ValueError):
        Layout.TWITTER.decode_many(ids.astype(np.float64))
    for apart in (ids[:8:2], ids[7::-1], memoryview(ids)[1:9:3], np.stack([ids, ids], axis=1)[:8, 1]):
        found = Layout.TWITTER.decode_many(apart)
        assert found.sequence == Layout.TWITTER.decode_many(apart.tolist()).sequence
    with pytest.raises(ValueError, match="byte order of another machine"):
        Layout.TWITTER.decode_many(ids.astype(">u8")[::2])
    narrow = ids[:8].astype(np.int32)
    with pytest.raises(ValueError):
        Layout.TWITTER.decode_many(narrow)
    assert Layout.TWITTER.decode_many(narrow.astype("int64")).sequence[:2].tolist() == [1, 2]
    assert Layout.TWITTER.decode(ids[0]) == Layout.TWITTER.decode(1)
    with pytest.raises(TypeError):
        Layout.TWITTER.decode(ids.astype(np.float64)[0])


def test_a_pandas_column_of_a_million_ids() -> None:
    import numpy as np
    import pandas as pd

    machine = snowmint.engine.Snowflake("time:41,worker:10,sequence:12", worker_id=5)
    ids = np.concatenate([machine.issue(4000, now=1_700_000_000_000 + ms) for ms in range(250)])
    frame = pd.DataFrame({"id": ids})

    columns = machine.layout.decode_many(frame["id"].to_numpy())
    frame["time"] = pd.to_datetime(np.asarray(columns.unix_ms), unit="ms", utc=True)
    frame["worker"] = np.asarray(columns.worker_id)
    frame["sequence"] = np.asarray(columns.sequence)

    assert len(frame) == 1_000_000 and frame["id"].is_unique
    assert np.shares_memory(np.asarray(columns.unix_ms), np.frombuffer(columns.unix_ms, np.int64))
    assert frame["worker"].unique().tolist() == [5]
    assert frame["time"].iloc[0] == pd.Timestamp("2023-11-14T22:13:20Z")
    assert frame.groupby("time")["sequence"].max().unique().tolist() == [3999]
    for column in (frame["id"], frame["id"].astype("int64"), frame["id"].astype("Int64")):
        again = machine.layout.decode_many(column)
        assert (again.unix_ms, again.sequence) == (columns.unix_ms, columns.sequence)
    for column in (frame["id"].head(9), frame["id"].head(9).astype(object), frame["id"].head(9).tolist()):
        assert machine.layout.decode_many(column).sequence == columns.sequence[:9]
    for wrong in (pd.Series([1, None], dtype="Int64"), pd.Series(["7"]), ["7"], [1.0], 7, Mock()):
        with pytest.raises((TypeError, ValueError)):
            machine.layout.decode_many(wrong)


def test_a_pyarrow_column() -> None:
    import numpy as np
    import pyarrow as pa

    ids = [1541815603606036480 + number for number in range(1000)]
    whole = pa.array(ids, pa.int64())
    for column in (whole, pa.array(ids, pa.uint64()), pa.chunked_array([whole[:7], whole[7:]])):
        columns = Layout.TWITTER.decode_many(column)
        assert columns.sequence == Layout.TWITTER.decode_many(ids).sequence
    table = pa.table({"id": whole, "worker_id": np.asarray(columns.worker_id)})
    assert table["worker_id"].unique().to_pylist() == [378]
    public = snowmint.PublicIdKeys.generate().public_ids("order")
    tokens = pa.array(public.encode_many(whole))
    assert public.decode_many(tokens.to_pylist()).tolist() == ids
    with pytest.raises(TypeError, match="a text is required, not StringScalar .to_pylist"):
        public.decode_many(tokens)
    for wrong in (pa.array(["1"]), pa.array([True])):
        with pytest.raises(TypeError, match="index 0"):
            Layout.TWITTER.decode_many(wrong)
    for wrong in (pa.array([1, None]), pa.chunked_array([[1, None]]), pa.array([1.0])):
        with pytest.raises((TypeError, ValueError)):
            Layout.TWITTER.decode_many(wrong)


@pytest.mark.filterwarnings("error")
def test_parts_in_pydantic_models() -> None:
    from pydantic import BaseModel, ValidationError
    from snowmint import Parts

    class Event(BaseModel):
        parts: Parts
        before: Parts | None = None

    parts = Layout.TWITTER.decode(1541815603606036480)
    event = Event(parts=parts)
    assert event.parts is parts and event.model_dump()["parts"] == parts.asdict()
    written = event.model_dump_json()
    assert json.loads(written)["parts"]["time"] == "2022-06-28T16:07:40.105000Z"
    assert Event.model_validate_json(written) == event
    # As a framework gives a body that it has read before.
    assert Event.model_validate(json.loads(written)) == event
    assert Event.model_validate({"parts": {"time": 1656432460105, "worker_id": 378}}) == event
    for mode in ("validation", "serialization"):
        schema = Event.model_json_schema(mode=mode)["properties"]["parts"]  # type: ignore[arg-type]
        assert list(schema["properties"]) == ["time", "worker_id", "sequence", "rollback"]
    wrong: list[Any] = [
        7, {}, {"time": "7 o'clock"}, {"time": "2022-06-28T16:07:40"}, {"time": True}, {"time": 1.5}, {"time": 1, "worker": 7},
        {"time": 10**17}, {"time": -(10**15)}, {"time": 1, "worker_id": -1}, {"time": 1, "worker_id": 2**32}, {"time": 1, "sequence": "7"},
    ]
    wrong += [Parts(time=ms) for ms in (253_402_300_800_000, -62_135_596_800_001)]
    for value in wrong:
        with pytest.raises(ValidationError):
            Event.model_validate({"parts": value})
    last = Parts(time=253_402_300_799_999)
    assert Event.model_validate(Event(parts=last).model_dump()).parts == last
