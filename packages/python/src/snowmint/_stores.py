"""Calls of stores that users write. The user's code runs only here: answers and the messages of
exceptions are read before the native module sees them.

A failure is a tuple: the number of a code or ``None``, a message, the exception.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import CoroutineType
from typing import Any

from snowmint._errors import NUMBERS, SegmentError, SnowmintError
from snowmint._native import Lease, Range

_Failure = tuple[int | None, str, BaseException]


def allocate(
    function: Callable[[str, int], Any], tag: str, count: int
) -> Range | _Failure:
    try:
        answer = function(tag, count)
    except BaseException as error:
        return _raised("allocate", error)
    if type(answer) is Range:
        return answer
    try:
        return _range(answer)
    except SegmentError as error:
        return _raised("allocate", error)
    except BaseException as error:
        message = f"allocate returned {_shown(answer)}: return a tuple (start, end) of integers"
        return NUMBERS["invalid_range"], message, error


def call(store: Any, method: str, arguments: tuple[Any, ...]) -> Lease | None | _Failure:
    try:
        answer = getattr(store, method)(*arguments)
    except BaseException as error:
        return _raised(method, error)
    if method == "release":
        return None
    if type(answer) is Lease:
        return answer
    message = f"{method} returned {_shown(answer)}: return a snowmint.Lease"
    return NUMBERS["invalid_answer"], message, TypeError(message)


def _range(answer: Any) -> Range:
    if not isinstance(answer, tuple):
        raise TypeError(f"a tuple is required, not {type(answer).__name__}")
    return Range(*map(_integer, answer))


def _integer(number: Any) -> int:
    if isinstance(number, bool):
        raise TypeError("an integer is required, not a bool")
    return operator.index(number)


def _raised(method: str, error: BaseException) -> _Failure:
    """Returns the failure for an exception. An error of snowmint keeps its code and text; any other
    exception counts as a store that cannot be reached."""
    number = getattr(error, "number", None) if isinstance(error, SnowmintError) else None
    kind, said = type(error).__name__, _said(error)
    if type(number) is int and number in NUMBERS.values():
        return number, said or kind, error
    described = f"{kind}: {said}" if said else kind
    return None, f"the store's {method} failed: {described}", error


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:
        return ""


def _shown(answer: Any) -> str:
    if isinstance(answer, CoroutineType):
        answer.close()  # Python would warn that it is never awaited.
        return "a coroutine, as no `async def` may"
    try:
        return repr(answer)[:80]
    except BaseException:
        return "something"
