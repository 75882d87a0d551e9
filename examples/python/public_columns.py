# --8<-- [start:column]
import snowmint
from snowmint.sqlalchemy import PublicId
from sqlalchemy import ForeignKey, create_engine, select
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

flake = snowmint.Snowflake.open("snowflake+memory:shop", lazy=True)
# In an application: PublicIdKeys.open("keys.toml").
order_ids = snowmint.PublicIdKeys.generate().public_ids("order")


class Base(DeclarativeBase):
    pass


def new_order_id() -> str:
    return order_ids.encode(flake.next_id())


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[str] = mapped_column(PublicId(order_ids), primary_key=True, default=new_order_id)


class Line(Base):
    __tablename__ = "lines"
    id: Mapped[str] = mapped_column(PublicId(order_ids), primary_key=True, default=new_order_id)
    order_id: Mapped[str] = mapped_column(ForeignKey("orders.id"))
# --8<-- [end:column]


engine = create_engine("sqlite://")
Base.metadata.create_all(engine)
with Session(engine) as session:
    order = Order()
    session.add(order)
    session.flush()
    session.add(Line(order_id=order.id))
    session.commit()
    assert order.id.startswith("order_1")
    assert session.scalars(select(Line.order_id)).one() == order.id

    # --8<-- [start:refused]
    try:
        session.get(Order, "order_x")
    except StatementError as error:
        assert isinstance(error.orig, snowmint.TextError)  # answer 404
    # --8<-- [end:refused]
    else:
        raise AssertionError("it was read")
