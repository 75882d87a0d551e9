"""A check that the fields for other libraries share."""

from __future__ import annotations

from typing import Any

from snowmint._native import PublicIds


def checked(ids: Any, field: str) -> PublicIds:
    """Returns ``ids`` if they are ``PublicIds``. A field of anything else would fail only when
    used."""
    if isinstance(ids, PublicIds):
        return ids
    raise TypeError(
        f'{field} takes the public IDs of one type, as keys.public_ids("order") of PublicIdKeys '
        f"gives them, and no {type(ids).__name__}"
    )
