"""The libraries that snowmint is used with: each test is the example of the README."""

import json
from datetime import datetime, timezone
from typing import Annotated, Any
from unittest.mock import Mock

import pytest

import snowmint
import snowmint.engine
from snowmint import Layout, Opaque, PublicIds, Snowflake

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


@pytest.fixture
def orders() -> PublicIds:
    return Opaque.from_bytes(b"[keys]\n1 = '2b7e151628aed2a6abf7158809cf4f3c'").typed("order")


@pytest.fixture(scope="module")
def django_shop() -> None:
    import django
    from django.conf import settings

    databases = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
    settings.configure(DATABASES=databases, USE_TZ=True)
    django.setup()


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
    for wrong in (pa.array([1, None]), pa.chunked_array([[1, None]]), pa.array([1.0])):
        with pytest.raises(ValueError):
            Layout.TWITTER.decode_many(wrong)


@pytest.mark.filterwarnings("error")
def test_public_ids_in_pydantic_models(orders: PublicIds) -> None:
    from pydantic import BaseModel, TypeAdapter, ValidationError
    from snowmint.pydantic import PublicId

    class Order(BaseModel):
        id: Annotated[int, PublicId(orders)]
        parent: Annotated[int, PublicId(orders)] | None = None
        before: Annotated[int | None, PublicId(orders)] = None

    class Answer(BaseModel):
        id: Annotated[int, PublicId(orders, take_ids=True)]

    token = orders.encode(7)
    order = Order.model_validate_json(json.dumps({"id": token}))
    assert order.id == 7 and Order(id=token).id == 7  # type: ignore[arg-type]
    assert order.model_dump() == {"id": 7, "parent": None, "before": None}
    written = {"id": token, "parent": None, "before": None}
    assert json.loads(order.model_dump_json()) == written
    for before, id in ((None, None), (token, 7)):
        order = Order.model_validate_json(json.dumps({**written, "before": before}))
        assert order.before == id and Order.model_validate({"id": token, "before": before}) == order
        assert json.loads(order.model_dump_json()) == {**written, "before": before}
        assert order.model_dump()["before"] == id
    assert json.loads(Answer(id=7).model_dump_json()) == {"id": token}
    assert Answer.model_validate_json(json.dumps({"id": token})).id == 7
    # A body has no ID itself, not even where answers are made of them.
    wrong: list[Any] = [7, "7", 7.0, True, None, token[:-1], "order_1" + "0" * 26, [token]]
    for value in wrong:
        with pytest.raises(ValidationError):
            Order.model_validate({"id": value})
        if value is not None:
            with pytest.raises(ValidationError):
                Order.model_validate({"id": token, "before": value})
        for model in (Order, Answer):
            with pytest.raises(ValidationError):
                model.model_validate_json(json.dumps({"id": value}))
    for value in (-1, 2**64, True):
        with pytest.raises(ValidationError):
            Answer(id=value)
    schema = Order.model_json_schema()["properties"]["id"]
    assert schema == {"type": "string", "examples": [orders.encode(0)], "title": "Id"}
    assert Order.model_json_schema()["properties"]["before"] == {
        "anyOf": [{"type": "string", "examples": [orders.encode(0)]}, {"type": "null"}],
        "default": None,
        "title": "Before",
    }
    assert TypeAdapter(list[Annotated[int, PublicId(orders)]]).validate_python([token]) == [7]


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
        {"time": 1, "worker_id": -1}, {"time": 1, "worker_id": 2**32}, {"time": 1, "sequence": "7"},
    ]
    for value in wrong:
        with pytest.raises(ValidationError):
            Event.model_validate({"parts": value})


def test_public_ids_in_sqlalchemy_columns(flake: Snowflake, orders: PublicIds) -> None:
    from sqlalchemy import ForeignKey, String, create_engine, select, text
    from sqlalchemy.exc import StatementError
    from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
    from snowmint.sqlalchemy import PublicId

    class Base(DeclarativeBase):
        pass

    def new_id() -> str:
        return orders.encode(flake.next_id())

    class Order(Base):
        __tablename__ = "orders"
        id: Mapped[str] = mapped_column(PublicId(orders), primary_key=True, default=new_id)
        item: Mapped[str] = mapped_column(String(40))
        parent_id: Mapped[str | None] = mapped_column(ForeignKey("orders.id"))
        parts: Mapped[list["Order"]] = relationship()

    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add(Order(item="whole", parts=[Order(item="part")]))
        session.add(Order(id=orders.encode(2**64 - 1), item="last"))
        session.commit()
        whole = session.scalars(select(Order).where(Order.item == "whole")).one()
        raw = session.execute(text("SELECT id FROM orders WHERE item = 'whole'")).scalar_one()
        assert isinstance(raw, int) and whole.id == orders.encode(raw)
        session.expire_all()
        assert session.get(Order, whole.id) is whole
        assert whole.parts[0].parent_id == whole.id
        ids = [whole.id, orders.encode(2**64 - 1)]
        found = session.scalars(select(Order.item).where(Order.id.in_(ids)))
        assert sorted(found) == ["last", "whole"]
        assert session.execute(text("SELECT id FROM orders WHERE item = 'last'")).scalar_one() == -1
        for wrong, cause in ((whole.id[:-1], snowmint.TextError), (raw, TypeError)):
            with pytest.raises(StatementError) as raised:
                session.scalars(select(Order).where(Order.id == wrong)).all()
            assert isinstance(raised.value.orig, cause)
        with pytest.raises(StatementError, match=r"takes one, as ids.encode\(id\) makes it, and no int"):
            session.add(Order(id=flake.next_id(), item="of the ID itself"))
            session.flush()


def test_public_ids_in_django_fields(
    flake: Snowflake, orders: PublicIds, django_shop: None
) -> None:
    from django import forms
    from django.core.exceptions import ValidationError
    from django.core.serializers import serialize
    from django.db import connection, models
    from django.db.migrations.state import ModelState
    from snowmint.django import PublicIdField

    def new_id() -> str:
        return orders.encode(flake.next_id())

    class Basket(models.Model):
        id = PublicIdField(orders, primary_key=True, default=new_id)
        item = models.CharField(max_length=40)
        parent = models.ForeignKey("self", models.CASCADE, null=True)

        class Meta:
            app_label = "shop"

    with connection.schema_editor() as editor:
        editor.create_model(Basket)
    whole = Basket.objects.create(item="whole")
    part = Basket.objects.create(item="part", parent=whole)
    Basket.objects.create(id=orders.encode(2**64 - 1), item="last")
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM shop_basket ORDER BY item")
        raw = [row[0] for row in cursor.fetchall()]
    assert raw == [-1, orders.decode(part.pk), orders.decode(whole.pk)]
    again = Basket.objects.select_related("parent").get(pk=part.pk)
    assert again.parent_id == whole.pk and again.parent.item == "whole"
    assert Basket.objects.filter(pk__in=[whole.pk, part.pk]).count() == 2
    assert Basket.objects.filter(parent__pk=whole.pk).get() == part
    assert Basket.objects.filter(parent=models.F("pk")).count() == 0
    again.full_clean()
    for wrong, error in ((whole.pk[:-1], snowmint.TextError), (raw[1], TypeError)):
        with pytest.raises(error):
            Basket.objects.get(pk=wrong)
        with pytest.raises(ValidationError):
            Basket(id=wrong, item="wrong").full_clean()
    assert isinstance(Basket._meta.pk.formfield(), forms.CharField)
    [written] = json.loads(serialize("json", [part]))
    assert (written["pk"], written["fields"]["parent"]) == (part.pk, whole.pk)
    # What migrations know of it has no keys.
    field = ModelState.from_model(Basket).fields["id"]
    assert type(field) is models.BigIntegerField
    assert Basket._meta.pk.deconstruct()[1] == "django.db.models.BigIntegerField"


def test_a_default_of_django_may_give_an_id(
    flake: Snowflake, orders: PublicIds, django_shop: None
) -> None:
    """The application's own: one that somebody asks by is refused all the same."""
    from django.core.exceptions import ValidationError
    from django.db import connection, models
    from django.forms import modelform_factory
    from snowmint.django import PublicIdField

    class Ticket(models.Model):
        id = PublicIdField(orders, primary_key=True, default=flake.next_id)
        other = PublicIdField(orders, default=7)

        class Meta:
            app_label = "shop"

    with connection.schema_editor() as editor:
        editor.create_model(Ticket)
    ticket = Ticket.objects.create()
    assert Layout.TWITTER.decode(orders.decode(ticket.pk)).worker_id == 7
    assert Ticket.objects.get(pk=ticket.pk).other == ticket.other == orders.encode(7)
    with pytest.raises(TypeError, match="shop.Ticket.id takes a public ID"):
        Ticket.objects.create(id=7)
    with pytest.raises(ValidationError, match="as ids.encode"):
        Ticket(id=7).full_clean()
    shown = modelform_factory(Ticket, fields=["id", "other"])()
    assert orders.decode(shown["id"].value()) > 7 and shown["other"].value() == orders.encode(7)


def test_public_ids_in_paths_of_django(orders: PublicIds, django_shop: None) -> None:
    """A wrong one is a path that is not there: the answer is 404, whatever is wrong."""
    from django.urls import Resolver404, path, register_converter
    from django.urls.resolvers import RegexPattern, URLResolver

    class OrderId:
        regex = "[^/]+"
        to_python = staticmethod(orders.decode)
        to_url = staticmethod(orders.encode)

    register_converter(OrderId, "order_id")
    shown = path("orders/<order_id:id>", lambda request, id: id, name="order")
    resolver = URLResolver(RegexPattern(r"^/"), [shown])
    token = orders.encode(7)
    assert resolver.resolve(f"/orders/{token}").kwargs == {"id": 7}
    assert resolver.reverse("order", id=7) == f"orders/{token}"
    for wrong in (token[:-1], "7", "order_1" + "0" * 26):
        with pytest.raises(Resolver404):
            resolver.resolve(f"/orders/{wrong}")


def test_public_ids_of_numpy_and_pandas_columns(orders: PublicIds) -> None:
    import numpy as np
    import pandas as pd

    ids = np.arange(10_000, dtype=np.uint64) + np.uint64(1541815603606036480)
    tokens = [orders.encode(id) for id in ids]
    frame = pd.DataFrame({"id": ids})
    frame["public"] = orders.encode_many(frame["id"])
    assert frame["public"].tolist() == tokens
    frame["again"] = np.asarray(orders.decode_many(frame["public"]))
    assert frame["again"].dtype == np.uint64 and (frame["again"] == frame["id"]).all()
    for column in (ids, ids.astype(np.int64), frame["id"].astype("Int64"), ids.astype(object)):
        assert orders.encode_many(column) == tokens
    for texts in (np.array(tokens), np.array(tokens, dtype=object), frame["public"].astype(str)):
        assert np.array_equal(np.asarray(orders.decode_many(texts)), ids)
    with pytest.raises(ValueError):
        orders.encode_many(ids.astype(np.float64))
    with pytest.raises((TypeError, ValueError)):
        orders.encode_many(pd.Series([1, None], dtype="Int64"))
    for missing in (None, np.nan, pd.NA):
        with pytest.raises(TypeError):
            orders.decode_many(pd.Series([tokens[0], missing], dtype=object))
