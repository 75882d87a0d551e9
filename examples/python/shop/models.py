from __future__ import annotations

from snowmint.sqlalchemy import Id
from sqlalchemy import BigInteger, ForeignKey, MetaData
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

import ids


class Base(DeclarativeBase):
    # Alembic can drop only constraints that have a name.
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
        }
    )


class Order(Base):
    __tablename__ = "orders"

    id: Mapped[int] = mapped_column(Id, primary_key=True, default=ids.new_id)
    ticket: Mapped[int] = mapped_column(BigInteger, unique=True, default=ids.new_ticket)
    customer: Mapped[str]
    lines: Mapped[list[Line]] = relationship(
        back_populates="order", order_by="Line.id", cascade="all, delete-orphan", lazy="selectin"
    )


class Line(Base):
    __tablename__ = "lines"

    id: Mapped[int] = mapped_column(Id, primary_key=True, default=ids.new_id)
    # The column takes its type, Id, from the key that it refers to.
    order_id: Mapped[int] = mapped_column(ForeignKey("orders.id"), index=True)
    item: Mapped[str]
    order: Mapped[Order] = relationship(back_populates="lines")
