"""What the fields of other libraries hold public IDs by."""

from __future__ import annotations

from typing import Any

from snowmint._native import PublicIds


def checked(ids: Any, field: str) -> PublicIds:
    """``ids``, where they are those of a type; a field of anything else would fail when it is used."""
    if isinstance(ids, PublicIds):
        return ids
    raise TypeError(
        f'{field} takes the public IDs of one type, as keys.public_ids("order") of PublicIdKeys '
        f"gives them, and no {type(ids).__name__}"
    )
