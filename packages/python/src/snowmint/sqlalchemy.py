"""Public IDs as the values of SQLAlchemy's columns (versions 2.0 and 2.1)::

    def new_order_id() -> str:
        return orders.encode(flake.next_id())

    class Order(Base):
        id: Mapped[str] = mapped_column(                                    # a BIGINT there
            PublicId(orders), primary_key=True, default=new_order_id
        )
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger
from sqlalchemy.exc import InvalidRequestError
from sqlalchemy.types import TypeDecorator

from snowmint._public_ids import checked

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Dialect
    from sqlalchemy.sql.operators import OperatorType

    from snowmint import PublicIds

__all__ = ["PublicId"]

# Operators are recognised by name, because 2.0 does not have the operator classes of 2.1.
_OF_TEXTS = re.compile("like|startswith|endswith|contains|match|regexp|collate|concat|^add$")


class _Comparator(TypeDecorator.Comparator[str], BigInteger.Comparator[str]):
    """Refuses text operators on integers. 2.1 warns of these, and a later version refuses them."""

    def operate(self, op: OperatorType, *other: Any, **options: Any) -> ColumnElement[Any]:
        _refuse_of_texts(op)
        return super().operate(op, *other, **options)

    def reverse_operate(self, op: OperatorType, other: Any, **options: Any) -> ColumnElement[Any]:
        _refuse_of_texts(op)
        return super().reverse_operate(op, other, **options)


def _refuse_of_texts(op: OperatorType) -> None:
    if _OF_TEXTS.search(op.__name__):
        raise InvalidRequestError(
            "a column of public IDs compares them whole, and not by "
            f"{op.__name__.removesuffix('_op')}, which would ask by the ID itself"
        )


class PublicId(TypeDecorator[str]):
    """A column of raw IDs, whose values in Python are public IDs: to compare, to store and to read.

    A text that is not a public ID of its type is a ``StatementError`` whose ``orig`` is the
    ``TextError``. An integer is refused alike, with a ``TypeError``, so that nobody can ask by the
    ID itself. A default has to return a public ID too. IDs of 2**63 and more are negative in the
    database, as their bits are. ``like``, ``startswith``, ``contains``, ``regexp_match``,
    ``concat``, ``+`` and other text operators are an ``InvalidRequestError``, because they would
    reveal the raw ID digit by digit.

    In migrations it is a ``BigInteger``, so they need no keys. Alembic writes
    ``snowmint.sqlalchemy.BigInteger()`` if its ``script.py.mako`` has ``import snowmint.sqlalchemy``.

    Args:
        ids: the result of ``PublicIdKeys.public_ids``.

    Raises:
        TypeError: if ``ids`` are something else.
    """

    impl = BigInteger
    cache_ok = True
    comparator_factory = _Comparator

    def __init__(self, ids: PublicIds) -> None:
        super().__init__()
        self.ids = checked(ids, "PublicId")

    def process_bind_param(self, value: str | None, dialect: Dialect) -> int | None:
        if value is None:
            return None
        if not isinstance(value, str):
            message = "a column of public IDs takes one, as ids.encode(id) makes it, and no "
            raise TypeError(message + type(value).__name__)
        id = self.ids.decode(value)
        return id - (1 << 64) if id >> 63 else id

    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:
        return None if value is None else self.ids.encode(value % (1 << 64))

    def __repr__(self) -> str:
        # Alembic writes this into migrations, behind the name of this module.
        return repr(self.impl_instance)

    @property
    def python_type(self) -> type[str]:
        return str
