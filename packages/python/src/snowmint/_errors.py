"""The exceptions. Which code is of which class, the native module knows."""

from __future__ import annotations

from snowmint._native import error_codes

NUMBERS = {code.name: code.number for code in error_codes()}
"""Every code's number, by its name."""


class SnowmintError(Exception):
    """Whatever goes wrong in snowmint. Nothing was issued.

    The source goes on working, unless it is closed, its ranges went back (``range_regressed``), its
    state file is gone (``state_missing``) or its worker ID belongs to another process (``forked``):
    open it anew then.

    ``code`` and ``number`` are of the table of error codes (``snowmint.error_codes()``), the same
    in every language. What a store of yours raises has its code by name:
    ``WorkerError("another has it", "lease_lost")``.

    Raises:
        ValueError: an unknown code, or a number that is not the code's.
    """

    code: str
    """The frozen name of what went wrong: ``clock_behind``, ``unknown_tag``, …"""
    number: int
    """The frozen number of the same."""
    wait_ms: int | None
    """How long until the call can succeed if the clock goes on, where that is known: of stalls. 0 of
    ``grant_exhausted``: that is up to whoever reserves more time."""

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
    """A code's number. A pair that has nothing of this table is a later version's, out of a pickle."""
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
    """No ID can be had now: the clock is behind, the tick is full, or the wait is over."""


class ClosedError(SnowmintError, ValueError):
    """The source or the store is closed."""


class TextError(SnowmintError, ValueError):
    """A text is no ID in its form."""


class SegmentError(SnowmintError):
    """A tag is missing, there already or used up, or a range is refused."""


class WorkerError(SnowmintError):
    """A worker ID cannot be had or kept."""


class StoreError(SnowmintError):
    """A store does not answer, or cannot do what it was asked. What a store of yours raised is the
    ``__cause__``."""


class UrlError(SnowmintError, ValueError):
    """A URL cannot be read, or has an unknown scheme or parameter."""


class ParameterError(SnowmintError, ValueError):
    """A value is not possible."""


for _class in (SnowmintError, *SnowmintError.__subclasses__()):
    _class.__module__ = "snowmint"  # Where they are imported from: in tracebacks and in pickles.
