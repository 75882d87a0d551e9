"""Public IDs as the values of SQLAlchemy's columns (version 2)::

    class Order(Base):
        id: Mapped[str] = mapped_column(PublicId(orders), primary_key=True)  # a BIGINT there
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy import Dialect

    from snowmint import PublicIds

__all__ = ["PublicId"]


class PublicId(TypeDecorator[str]):
    """A column of raw IDs, which are public ones in Python: what is compared, stored and read.

    A text that is no public ID of its type is a ``StatementError`` whose ``orig`` is the
    ``TextError``; so is an integer, with a ``TypeError``. IDs of 2**63 and more are negative in the
    database, as their bits are.

    Args:
        ids: of ``Opaque.typed``.
    """

    impl = BigInteger
    cache_ok = True

    def __init__(self, ids: PublicIds) -> None:
        super().__init__()
        self.ids = ids

    def process_bind_param(self, value: str | None, dialect: Dialect) -> int | None:
        if value is None:
            return None
        id = self.ids.decode(value)
        return id - (1 << 64) if id >> 63 else id

    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:
        return None if value is None else self.ids.encode(value % (1 << 64))

    @property
    def python_type(self) -> type[str]:
        return str
