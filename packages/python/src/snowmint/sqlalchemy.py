"""IDs and public IDs as the values of SQLAlchemy's columns (versions 2.0 and 2.1)::

    class Order(Base):
        id: Mapped[int] = mapped_column(Id, primary_key=True, default=flake.next_id)

    def new_basket_id() -> str:
        return baskets.encode(flake.next_id())

    class Basket(Base):
        id: Mapped[str] = mapped_column(                                    # a BIGINT there
            PublicId(baskets), primary_key=True, default=new_basket_id
        )

Columns of these types have ``autoincrement=False``, so an ``INSERT`` without an ID fails. A primary
key of a plain ``BigInteger`` becomes a ``BIGSERIAL`` in PostgreSQL, and the database gives such an
``INSERT`` the IDs 1, 2, 3, which the source does not know.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import BigInteger, Column
from sqlalchemy.exc import ArgumentError, InvalidRequestError
from sqlalchemy.types import TypeDecorator

from snowmint._public_ids import checked
from snowmint._raw_ids import of_integer

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Dialect
    from sqlalchemy.sql.base import SchemaEventTarget
    from sqlalchemy.sql.operators import OperatorType

    from snowmint import PublicIds

__all__ = ["Id", "PublicId"]

_Value = TypeVar("_Value")

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


class _Minted(TypeDecorator[_Value]):
    """A ``BIGINT`` whose values come from a source, and never from the database."""

    impl = BigInteger

    def _set_parent(self, parent: SchemaEventTarget, outer: bool = False, **options: Any) -> None:
        super()._set_parent(parent, outer=outer, **options)
        if isinstance(parent, Column):
            if parent.autoincrement not in ("auto", False):
                raise ArgumentError(
                    f"a column of {type(self).__name__} takes the IDs of a source: with "
                    f"autoincrement={parent.autoincrement!r} the database would give others"
                )
            parent.autoincrement = False

    def __repr__(self) -> str:
        # Alembic writes this into migrations, behind the name of this module.
        return repr(self.impl_instance)


def _signed(id: int) -> int:
    """Returns the integer that a ``BIGINT`` has for an ID."""
    return id - (1 << 64) if id >> 63 else id


class Id(_Minted[int]):
    """A column of IDs, whose values in Python are integers from 0 to 2**64 - 1.

    The column has ``autoincrement=False``: an ``INSERT`` without an ID fails. An integer outside of
    64 bits is a ``StatementError`` whose ``orig`` is a ``ValueError``. Other types, such as a
    ``str`` or a ``bool``, are refused alike, with a ``TypeError``. IDs of 2**63 and more are
    negative in the database, as their bits are, and sort before the others there:
    ``layout.fits(63)`` says whether a layout has such IDs.

    In migrations it is a ``BigInteger``, like ``PublicId``.
    """

    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:
        # Drivers do not know the integers of numpy.
        return None if value is None else _signed(of_integer(value))

    def process_result_value(self, value: Any | None, dialect: Dialect) -> int | None:
        return None if value is None else value % (1 << 64)

    @property
    def python_type(self) -> type[int]:
        return int


class PublicId(_Minted[str]):
    """A column of raw IDs, whose values in Python are public IDs: to compare, to store and to read.

    The column has ``autoincrement=False``: an ``INSERT`` without an ID fails. A text that is not a
    public ID of its type is a ``StatementError`` whose ``orig`` is the ``TextError``. An integer is
    refused alike, with a ``TypeError``, so that nobody can ask by the ID itself. A default has to
    return a public ID too. IDs of 2**63 and more are negative in the database, as their bits are.
    ``like``, ``startswith``, ``contains``, ``regexp_match``, ``concat``, ``+`` and other text
    operators are an ``InvalidRequestError``, because they would reveal the raw ID digit by digit.

    In migrations it is a ``BigInteger``, so they need no keys. Alembic writes
    ``snowmint.sqlalchemy.BigInteger()`` if its ``script.py.mako`` has ``import snowmint.sqlalchemy``.

    Args:
        ids: the result of ``PublicIdKeys.public_ids``.

    Raises:
        TypeError: if ``ids`` are something else.
    """

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
        return _signed(self.ids.decode(value))

    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:
        return None if value is None else self.ids.encode(value % (1 << 64))

    @property
    def python_type(self) -> type[str]:
        return str
