"""The exceptions. The native module knows the class of each code."""

from __future__ import annotations

from snowmint._native import error_codes

NUMBERS = {code.name: code.number for code in error_codes()}
"""Every code's number, by its name."""


class SnowmintError(Exception):
    """An error of snowmint. Nothing was issued.

    The source goes on working, except in four cases: it is closed, its ranges went back
    (``range_regressed``), its state file is gone (``state_missing``) or its worker ID belongs to
    another process (``forked``). Open it again then.

    ``code`` and ``number`` are from the table of error codes (``snowmint.error_codes()``), the same
    in every language. A store of your own raises a code by its name:
    ``WorkerError("another has it", "lease_lost")``.

    Raises:
        ValueError: for an unknown code, or a number that is not the code's.
    """

    code: str
    """The frozen name of the error: ``clock_behind``, ``unknown_tag``, …"""
    number: int
    """The frozen number of the error."""
    wait_ms: int | None
    """The milliseconds until the call can succeed if the clock goes on; known for stalls only. For
    ``grant_exhausted`` it is 0, because somebody has to reserve more time."""

    def __init__(
        self, message: str, code: str, number: int | None = None, wait_ms: int | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.number = _number(code, number)
        self.wait_ms = wait_ms

    def __reduce__(self) -> tuple[type[SnowmintError], tuple[str, str, int, int | None]]:
        return (type(self), (str(self), self.code, self.number, self.wait_ms))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.code}: {self})"


def _number(code: str, number: int | None) -> int:
    """Returns a code's number. If neither code nor number is in this table, the pair comes from a
    pickle of a later version."""
    known = NUMBERS.get(code)
    if known is None:
        if number is None or number in NUMBERS.values():
            message = f"there is no error code {code!r}: snowmint.error_codes() lists them"
            raise ValueError(message)
        return number
    if number not in (None, known):
        message = f"the error code {code!r} has the number {known} and not {number}: leave it out"
        raise ValueError(message)
    return known


class LayoutError(SnowmintError, ValueError):
    """The fields make no layout, a value does not fit its field, or the layout cannot express it."""


class StallError(SnowmintError):
    """No ID is available now: the clock is behind, the tick is full, or the wait is over."""


class ClosedError(SnowmintError, ValueError):
    """The source or the store is closed."""


class TextError(SnowmintError, ValueError):
    """A text is not an ID in its form."""


class SegmentError(SnowmintError):
    """A tag is missing, exists already or is used up, or a range is refused."""


class WorkerError(SnowmintError):
    """A worker ID cannot be taken or kept."""


class StoreError(SnowmintError):
    """A store does not answer, or cannot fulfil the request. The exception of a store of your own
    is the ``__cause__``."""


class UrlError(SnowmintError, ValueError):
    """A URL cannot be read, or has an unknown scheme or parameter."""


class ParameterError(SnowmintError, ValueError):
    """A value is not possible."""


for _class in (SnowmintError, *SnowmintError.__subclasses__()):
    _class.__module__ = "snowmint"  # The module that tracebacks and pickles show.
