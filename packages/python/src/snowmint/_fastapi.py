"""What FastAPI is validating: it validates answers and bodies by the same call, in the same mode."""

from __future__ import annotations

import sys
from types import FrameType


def fills_an_answer() -> bool:
    """Returns whether the validator that calls this is given what an endpoint returned.

    Only FastAPI's own field knows that, and it is the caller of Pydantic. Where it cannot be found,
    as it could be in a later FastAPI, the answer is no.
    """
    frame: FrameType | None = sys._getframe(1)
    # Past the application's validators, to the innermost call of Pydantic.
    while frame is not None and not _module(frame).startswith("pydantic."):
        frame = frame.f_back
    caller = frame and frame.f_back
    field = caller and caller.f_locals.get("self")
    is_of_fastapi = type(field).__module__.startswith("fastapi.")
    return is_of_fastapi and getattr(field, "mode", None) == "serialization"


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))
