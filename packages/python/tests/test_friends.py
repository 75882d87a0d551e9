"""The libraries that snowmint is used with: each test is the example of the README."""

from datetime import datetime, timezone

import pytest

import snowmint
import snowmint.engine
from snowmint import Layout, Snowflake

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def test_a_sqlalchemy_column_default(flake: Snowflake) -> None:
    from sqlalchemy import BigInteger, String, create_engine, select
    from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

    class Base(DeclarativeBase):
        pass

    class Order(Base):
        __tablename__ = "orders"
        id: Mapped[int] = mapped_column(BigInteger, primary_key=True, default=flake.next_id)
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


def test_a_django_model_field(flake: Snowflake) -> None:
    import django
    from django.conf import settings
    from django.db import connection, models

    databases = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
    settings.configure(DATABASES=databases, USE_TZ=True)
    django.setup()

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
    signed = machine.layout.decode_many(frame["id"].astype("int64").to_numpy())
    assert signed.unix_ms == columns.unix_ms
