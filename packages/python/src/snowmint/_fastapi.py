"""What FastAPI is validating: it validates answers and bodies by the same call, in the same mode."""

from __future__ import annotations

import sys
from types import FrameType


def validated() -> str:
    """Returns ``serialization`` if the validator that calls this is given what an endpoint returned,
    and ``validation`` if it is given a request.

    Only FastAPI's own field knows that, and it is the caller of Pydantic. The text is empty if the
    field cannot be found, as in a program without FastAPI, or with a later one.
    """
    frame: FrameType | None = sys._getframe(1)
    # Past the application's validators, to the innermost call of Pydantic.
    while frame is not None and not _module(frame).startswith("pydantic."):
        frame = frame.f_back
    caller = frame and frame.f_back
    field = caller and caller.f_locals.get("self")
    is_of_fastapi = type(field).__module__.startswith("fastapi.")
    return getattr(field, "mode", "") if is_of_fastapi else ""


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))
