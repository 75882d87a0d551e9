"""Columns of IDs in SQLAlchemy: what they take, and that no database gives IDs of its own."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import snowmint.sqlalchemy
import sqlalchemy
from snowmint import PublicIdKeys, Snowflake
from snowmint.sqlalchemy import Id, PublicId
from sqlalchemy import Column, ForeignKey, MetaData, Table, create_engine, insert, inspect, select
from sqlalchemy.exc import ArgumentError, IntegrityError, StatementError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.schema import CreateTable

ORDERS = PublicIdKeys.generate().public_ids("order")
TYPES = [Id, Id(), PublicId(ORDERS)]


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> sqlalchemy.Engine:
    if request.param == "sqlite":
        return create_engine("sqlite://")
    import psycopg

    url = request.getfixturevalue("postgres")
    return create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url))


def table(type: Any) -> Table:
    return Table(
        "orders",
        MetaData(),
        Column("id", type, primary_key=True),
        Column("item", sqlalchemy.String(40)),
    )


def created(engine: sqlalchemy.Engine, table: Table) -> None:
    table.metadata.create_all(engine)


def migrated(engine: sqlalchemy.Engine, table: Table) -> None:
    """Creates the table by the migration that Alembic writes."""
    from alembic.autogenerate import produce_migrations, render_python_code
    from alembic.migration import MigrationContext
    from alembic.operations import Operations

    with engine.begin() as connection:
        context = MigrationContext.configure(connection)
        upgrade = produce_migrations(context, table.metadata).upgrade_ops
        assert upgrade is not None
        written = render_python_code(upgrade)
        # As a migration is run, in whose file these three are imported.
        names = {"op": Operations(context), "sa": sqlalchemy, "snowmint": snowmint}
        exec(re.sub("^    ", "", written, flags=re.M), names)


@pytest.mark.parametrize("make", [created, migrated])
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.filterwarnings("ignore:Column 'orders.id' is marked as a member of the primary key")
def test_an_insert_without_an_id_fails(
    engine: sqlalchemy.Engine, type: Any, make: Callable[[sqlalchemy.Engine, Table], None]
) -> None:
    """Else the database gives 1, 2, 3."""
    orders = table(type)
    make(engine, orders)
    by_hand = sqlalchemy.text("INSERT INTO orders (item) VALUES ('tea')")
    for statement in (by_hand, insert(orders).values(item="tea")):
        with engine.begin() as connection, pytest.raises(IntegrityError, match="(?i)not.null"):
            connection.execute(statement)
    with engine.begin() as connection:
        assert connection.execute(select(orders)).all() == []
        [id, _] = inspect(connection).get_columns("orders")
    assert isinstance(id["type"], sqlalchemy.BIGINT) and id["default"] is None
    engine.dispose()


@pytest.mark.parametrize("type", TYPES)
def test_no_database_is_asked_to_count(type: Any) -> None:
    class Base(DeclarativeBase):
        pass

    class HasId:
        id: Mapped[Any] = mapped_column(type, primary_key=True)

    class Order(HasId, Base):
        __tablename__ = "orders"

    class Part(Base):
        __tablename__ = "parts"
        order_id: Mapped[Any] = mapped_column(ForeignKey("orders.id"), primary_key=True)

    mapped = Base.metadata.tables["orders"]
    for each in (table(type), mapped, mapped.to_metadata(MetaData()), Base.metadata.tables["parts"]):
        assert each.autoincrement_column is None
        for dialect in ("postgresql", "mysql", "mssql", "sqlite"):
            made = str(CreateTable(each).compile(dialect=_dialect(dialect)))
            assert re.search(r"id BIGINT NOT NULL", made.replace("[", "").replace("]", "")), made
            assert not re.search("SERIAL|INCREMENT|IDENTITY", made), made


def _dialect(name: str) -> Any:
    return sqlalchemy.engine.url.URL.create(name).get_dialect()()


@pytest.mark.parametrize("type", TYPES)
def test_a_column_that_counts_is_refused(type: Any) -> None:
    for wrong in (True, "ignore_fk"):
        with pytest.raises(ArgumentError, match=f"of (Public)?Id takes .* autoincrement={wrong!r} the"):
            Column("id", type, primary_key=True, autoincrement=wrong)
    with pytest.raises(ArgumentError, match="autoincrement=False"):
        Column("id", type, sqlalchemy.Identity(), primary_key=True)
    assert Column("id", type, primary_key=True, autoincrement=False).autoincrement is False


@pytest.mark.filterwarnings("error")
def test_ids_in_columns(engine: sqlalchemy.Engine, flake: Snowflake) -> None:
    import numpy as np

    class Base(DeclarativeBase):
        pass

    class Order(Base):
        __tablename__ = "orders"
        id: Mapped[int] = mapped_column(Id, primary_key=True, default=flake.next_id)
        parent_id: Mapped[int | None] = mapped_column(ForeignKey("orders.id"))

    Base.metadata.create_all(engine)
    with Session(engine) as session:
        order = Order()
        session.add(order)
        session.flush()
        ids = [order.id, 0, 2**63 - 1, 2**63, 2**64 - 1]
        session.add_all(Order(id=id, parent_id=order.id) for id in ids[1:])
        session.commit()
        assert type(order.id) is int and order.id > 2**48 and order.parent_id is None
        for id in ids:
            assert session.scalars(select(Order.id).where(Order.id == id)).one() == id
        assert sorted(session.scalars(select(Order.id))) == sorted(ids)
        many = select(Order.id).where(Order.id.in_(np.array(ids, dtype=np.uint64)))
        assert len(session.scalars(many).all()) == 5
        literal = select(Order.id).where(Order.id == ids[-1])
        assert "= -1" in str(literal.compile(engine, compile_kwargs={"literal_binds": True}))
        raw = session.execute(sqlalchemy.text("SELECT min(id), max(id) FROM orders")).one()
        assert tuple(raw) == (-(2**63), 2**63 - 1)
        wrong: list[tuple[Any, type[Exception]]] = [
            (-1, ValueError), (2**64, ValueError), ("7", TypeError), (True, TypeError), (7.0, TypeError), (int, TypeError),
        ]
        for value, cause in wrong:
            with pytest.raises(StatementError) as raised:
                session.execute(select(Order).where(Order.id == value))
            assert isinstance(raised.value.orig, cause), value
            assert "an ID is an integer from 0 to 18446744073709551615" in str(raised.value)
    engine.dispose()


@pytest.mark.parametrize("schema", ["snowmint", "public", "ids"])
def test_alembic_leaves_the_tables_of_a_store_alone(postgres: str, schema: str) -> None:
    """A tool that looks at their schema is told to pass over them, by the function of the page."""
    import psycopg
    from alembic.autogenerate import produce_migrations
    from alembic.migration import MigrationContext

    example = Path(__file__).parents[3] / "examples/python/alembic_env.py"
    include_name = runpy.run_path(str(example))["include_name"]
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(postgres))
    with snowmint.Store.open(f"{postgres}&create=true&schema={schema}") as store:
        store.create_tag("orders")

    def migration(**options: Any) -> list[str]:
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts=options)
            upgrade = produce_migrations(context, table(Id).metadata).upgrade_ops
        assert upgrade is not None
        return [type(each).__name__ for each in upgrade.ops]

    assert migration(include_name=include_name) == ["CreateTableOp"]
    assert migration(include_schemas=True, include_name=include_name) == ["CreateTableOp"]
    # Without it they would be dropped.
    assert migration(include_schemas=True).count("DropTableOp") == 3
    assert migration().count("DropTableOp") == (3 if schema == "public" else 0)
    engine.dispose()
