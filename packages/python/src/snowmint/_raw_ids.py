"""What the fields for other libraries take as an ID."""

from __future__ import annotations

import operator
import re
from typing import Any

# What a string of JSON is as an ID: it has one spelling.
DECIMAL = "^(0|[1-9][0-9]{0,19})$"
NO_ID = "an ID is an integer from 0 to 18446744073709551615"


def of_integer(value: Any) -> int:
    """Returns the ID that an integer is. The integers of numpy are some, too.

    Raises:
        TypeError: if it is no integer.
        ValueError: if it has more than 64 bits, or is negative.
    """
    if isinstance(value, bool):
        raise TypeError(f"{NO_ID}, and no bool")
    try:
        id = operator.index(value)
    except TypeError:
        raise TypeError(f"{NO_ID}, and no {type(value).__name__}") from None
    if not 0 <= id < 1 << 64:
        raise ValueError(NO_ID)
    return id


def of_json(value: Any) -> int:
    """Returns the ID that is an integer, or a string of its decimal digits.

    Raises:
        TypeError: if it is neither.
        ValueError: if it is no such string, or another integer.
    """
    if not isinstance(value, str):
        return of_integer(value)
    if not re.fullmatch(DECIMAL, value, re.ASCII):
        raise ValueError(NO_ID)
    return of_integer(int(value))
