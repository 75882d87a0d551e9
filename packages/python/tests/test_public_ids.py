"""Public IDs in the libraries that snowmint is used with, and what they refuse."""

import json
import re
from typing import Annotated, Any
from unittest.mock import Mock

import pytest

import snowmint
from snowmint import Layout, PublicIdKeys, PublicIds, Snowflake

KEYS = b"[keys]\n1 = '2b7e151628aed2a6abf7158809cf4f3c'"


@pytest.fixture
def orders() -> PublicIds:
    return PublicIdKeys.from_bytes(KEYS).public_ids("order")


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


def test_public_ids_annotate_integers_alone(orders: PublicIds) -> None:
    from pydantic import AfterValidator, BaseModel, TypeAdapter, create_model
    from typing_extensions import TypeAliasType
    from snowmint.pydantic import PublicId

    def model(annotated: Any, *annotations: Any) -> type[BaseModel]:
        return create_model("Order", id=Annotated[(annotated, *annotations, PublicId(orders))])

    for wrong, said in [
        (list[int], "list[int]"), (set[int] | None, "set[int] | None"), (dict[str, int], "dict[str, int]"), (str, "str"),
        (bool, "bool"), (int | str, "int | str"), (float | None, "float | None"), (Any, "Any"), (orders.__class__, "PublicIds"),
    ]:
        with pytest.raises((TypeError, RuntimeError)) as raised:
            model(wrong)
        if wrong is not orders.__class__:
            assert isinstance(raised.value, TypeError)
            assert re.search(f"and not (typing.)?{re.escape(said)}: ", str(raised.value)), raised.value
            assert "list[Annotated[int, PublicId(orders)]]" in str(raised.value)
    with pytest.raises(TypeError, match="before any validator"):
        model(int, AfterValidator(abs))
    token = orders.encode(7)
    for alias in (TypeAliasType("OrderId", int), TypeAliasType("OrderId", int | None)):
        assert TypeAdapter(Annotated[alias, PublicId(orders)]).validate_python(token) == 7


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


@pytest.mark.filterwarnings("error")
def test_sqlalchemy_compares_whole_public_ids(orders: PublicIds) -> None:
    """Nobody reads a raw ID out, digit by digit, and of what it does no version warns."""
    from sqlalchemy import create_engine, func, literal, select
    from sqlalchemy.exc import InvalidRequestError
    from sqlalchemy.orm import DeclarativeBase, Mapped, Session, aliased, mapped_column
    from snowmint.sqlalchemy import PublicId

    class Base(DeclarativeBase):
        pass

    class Parcel(Base):
        __tablename__ = "parcels"
        id: Mapped[str] = mapped_column(PublicId(orders), primary_key=True)

    first, second, last = (orders.encode(2125 * 10**15 + n) for n in range(3))
    words = "startswith istartswith endswith iendswith contains icontains like ilike not_like not_ilike"
    words += " match regexp_match collate concat __add__ __radd__"
    for id in (Parcel.id, Parcel.__table__.c.id, aliased(Parcel).id, func.max(Parcel.id)):
        for word in words.split():
            for given in ("2125", first):
                with pytest.raises(InvalidRequestError, match=r"them whole, and not by \w+, which"):
                    getattr(id, word)(given)
        with pytest.raises(InvalidRequestError, match="not by regexp_replace, which"):
            id.regexp_replace("1", "2")
        with pytest.raises(InvalidRequestError, match="not by concat, which"):
            id.concat(literal("x"))
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(Parcel(id=id) for id in (first, second, last))
        session.flush()
        id = Parcel.id
        for asked, found in (
            (id == first, [first]),
            (id != first, [last, second]),
            (id.in_([first, last]), [last, first]),
            (id.not_in([first]), [last, second]),
            (id.between(first, second), [second, first]),
            (id > first, [last, second]),
            (id <= second, [second, first]),
            (id.is_(None), []),
            (id.is_distinct_from(last), [second, first]),
        ):
            assert session.scalars(select(id).where(asked).order_by(id.desc())).all() == found
        assert session.scalars(select(func.max(id))).one() == last


def test_sqlalchemy_refuses_numbers_of_more_bits() -> None:
    from sqlalchemy import column, create_engine, select
    from sqlalchemy.exc import StatementError
    from snowmint.sqlalchemy import PublicId

    with create_engine("sqlite://").connect() as connection:
        for bits in (53, 63):
            ids = PublicIdKeys.from_bytes(KEYS).public_ids("order", f"number{bits}")
            for wrong in (2**bits, 2**64 - 1, 2**64):
                with pytest.raises(StatementError) as raised:
                    connection.execute(select(column("id", PublicId(ids)) == str(wrong)))
                assert isinstance(raised.value.orig, snowmint.TextError)


def test_alembic_writes_columns_that_need_no_keys(orders: PublicIds) -> None:
    from alembic.autogenerate import produce_migrations, render_python_code
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from sqlalchemy import Column, MetaData, Table, create_engine, inspect, types
    import sqlalchemy
    import snowmint.sqlalchemy

    tables = MetaData()
    Table("orders", tables, Column("id", snowmint.sqlalchemy.PublicId(orders), primary_key=True))
    with create_engine("sqlite://").connect() as connection:
        context = MigrationContext.configure(connection)
        written = render_python_code(produce_migrations(context, tables).upgrade_ops)
        assert "'id', snowmint.sqlalchemy.BigInteger(), autoincrement=False, nullable=False" in written
        # As a migration is run, in whose file these three are imported.
        names = {"op": Operations(context), "sa": sqlalchemy, "snowmint": snowmint}
        exec(re.sub("^    ", "", written, flags=re.M), names)
        [made] = inspect(connection).get_columns("orders")
        assert isinstance(made["type"], types.BIGINT)
        assert produce_migrations(context, tables).upgrade_ops.is_empty()


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
    # The field that migrations know has no keys.
    field = ModelState.from_model(Basket).fields["id"]
    assert type(field) is models.BigIntegerField
    assert Basket._meta.pk.deconstruct()[1] == "django.db.models.BigIntegerField"


def test_django_looks_up_whole_public_ids(orders: PublicIds, django_shop: None) -> None:
    """Nobody reads a raw ID out, digit by digit: neither by a query nor by what searches for words."""
    from django.contrib.admin import ModelAdmin, site
    from django.core.exceptions import FieldError
    from django.db import connection, models
    from django.db.models import F, IntegerField, Max
    from django.db.models.functions import Abs
    from snowmint.django import PublicIdField

    class Parcel(models.Model):
        id = PublicIdField(orders, primary_key=True)
        parent = models.ForeignKey("self", models.CASCADE, null=True)

        class Meta:
            app_label = "shop"

    with connection.schema_editor() as editor:
        editor.create_model(Parcel)
    raw = 2125 * 10**15
    first = Parcel.objects.create(id=orders.encode(raw))
    last = Parcel.objects.create(id=orders.encode(raw + 1), parent=first)
    rows, found = Parcel.objects, Parcel.objects.filter
    words = "contains icontains startswith istartswith endswith iendswith regex iregex iexact"
    named = rows.annotate(other=F("id"), most=Max("id"))
    for word in words.split():
        for given in ("2125", raw, str(raw), first.pk):
            for name in ("pk", "id", "parent__pk", "parent__id", "parent", "parent_id", "other", "most"):
                for asked in (named.filter, named.exclude):
                    with pytest.raises(FieldError):
                        asked(**{f"{name}__{word}": given})
        with pytest.raises(FieldError, match=f"shop.Parcel.id has public IDs, .* and not by {word}, "):
            found(**{f"pk__{word}": "2125"})
    IntegerField.register_lookup(Abs)
    try:
        with pytest.raises(FieldError, match="Unsupported lookup 'abs'"):
            found(pk__abs=raw)
    finally:
        IntegerField._unregister_lookup(Abs)
    with pytest.raises(FieldError, match="Unsupported lookup 'nonsense'"):
        found(pk__nonsense=7)

    class Parcels(ModelAdmin):
        search_fields = ["id"]

    for prefix in ("", "^", "="):
        Parcels.search_fields = [f"{prefix}id"]
        with pytest.raises(FieldError, match="has public IDs"):
            Parcels(Parcel, site).get_search_results(Mock(), rows.all(), "2125")
    # Pages go from a public ID on, in the order of the rows, and take nothing else.
    assert found(pk__gt=first.pk).get() == last == found(pk__range=(last.pk, last.pk)).get()
    assert list(found(pk__gte=first.pk).order_by("-pk")) == [last, first]
    assert found(pk__lt=last.pk, pk__lte=first.pk, pk__isnull=False).get() == first
    assert found(parent__gt=first.pk).count() == 0 and found(parent__pk__lte=first.pk).get() == last
    for name in ("pk", "parent", "parent__pk", "other"):
        for word in ("exact", "gt", "gte", "lt", "lte", "in", "range"):
            if (name, word) == ("parent", "range"):
                continue  # None of a foreign key.
            for wrong in ("2125", raw, str(raw), 0.5):
                given = [wrong, wrong] if word in ("in", "range") else wrong
                with pytest.raises((TypeError, snowmint.TextError)):
                    list(named.filter(**{f"{name}__{word}": given}))


def test_forms_of_django_refuse_numbers_of_more_bits(django_shop: None) -> None:
    from django.db import models
    from django.forms import modelform_factory
    from snowmint.django import PublicIdField

    class Coupon(models.Model):
        wide = PublicIdField(PublicIdKeys.from_bytes(KEYS).public_ids("coupon", "number63"))
        narrow = PublicIdField(PublicIdKeys.from_bytes(KEYS).public_ids("coupon", "number53"))

        class Meta:
            app_label = "shop"

    form = modelform_factory(Coupon, fields=["wide", "narrow"])
    assert form({"wide": str(2**63 - 1), "narrow": str(2**53 - 1)}).is_valid()
    for bits in (53, 63):
        for wrong in (2**bits, 2**64 - 1, 2**64):
            given = {"wide": str(wrong) if bits == 63 else "7", "narrow": str(wrong)}
            shown = form(given)
            assert not shown.is_valid()
            assert [*shown.errors] == (["narrow"] if bits == 53 else ["wide", "narrow"])


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
    for missing in (None, np.nan, pd.NA):
        with pytest.raises(TypeError):
            orders.decode_many(pd.Series([tokens[0], missing], dtype=object))


def test_a_column_with_gaps_or_more_dimensions_is_refused(orders: PublicIds) -> None:
    import numpy as np
    import pandas as pd
    import pyarrow as pa

    ids = np.arange(6, dtype=np.int64)
    masked = np.ma.array(ids, mask=[0, 0, 1, 0, 0, 1])
    with_gap: list[int | None] = [1, None, 3, None]
    for many in (orders.encode_many, Layout.TWITTER.decode_many):
        assert len(many(np.ma.array(ids))) == len(many(np.ma.array(ids, mask=[0] * 6))) == 6
        for column in (masked, masked.astype(np.uint64), masked.astype(object)):
            with pytest.raises(TypeError, match="not a masked value; it has index 2$"):
                many(column)
        for column in (
            pd.Series(with_gap, dtype="Int64"), pd.array(with_gap, dtype="UInt64"), pa.chunked_array([with_gap]),
            pd.Series(with_gap, dtype="int64[pyarrow]"), pd.Series(with_gap, dtype=object),
        ):
            with pytest.raises(TypeError, match="an integer is required, not .*; it has index 1$"):
                many(column)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="with index 1: 64-bit integers are needed"):
            many(pd.Series([1.0, np.nan]))
        two = ids.reshape(2, 3)
        for table, dimensions in (
            (two, 2), (memoryview(two), 2), (pd.DataFrame({"id": ids}), 2), (two.astype(object), 2), (two.reshape(1, 2, 3), 3),
            (np.array(7), 0), (np.uint64(7), 0),
        ):
            with pytest.raises(snowmint.ParameterError, match=f"one column is needed, not {dimensions} "):
                many(table)  # type: ignore[arg-type]
    texts = np.array(orders.encode_many(ids))
    for table in (texts.reshape(2, 3), pd.DataFrame({orders.encode(7): texts})):
        with pytest.raises(snowmint.ParameterError, match="one column is needed, not 2 dimensions"):
            orders.decode_many(table)
    with pytest.raises(TypeError, match="index 1"):
        orders.decode_many(np.ma.array(texts, mask=[0, 1, 0, 0, 0, 0]))


def test_a_decoded_column_keeps_its_type(orders: PublicIds) -> None:
    import numpy as np
    import pandas as pd

    ids = [1541815603606036481, 2**63 - 1]
    column = pd.Series(orders.encode_many(ids))
    back = pd.Series(np.asarray(orders.decode_many(column)).view("int64"))
    assert back.dtype == np.int64
    assert pd.concat([back, pd.Series([1])]).tolist() == [*ids, 1]


def test_fields_refuse_what_are_no_public_ids_of_a_type(django_shop: None) -> None:
    from snowmint import django, pydantic, sqlalchemy

    fields: list[Any] = [sqlalchemy.PublicId, pydantic.PublicId, django.PublicIdField]
    for field in fields:
        for wrong in (PublicIdKeys.from_bytes(KEYS), None, "order", PublicIds, Mock()):
            said = rf'^{field.__name__} takes .* keys.public_ids\("order"\) .* no {type(wrong).__name__}$'
            with pytest.raises(TypeError, match=said):
                field(wrong)
