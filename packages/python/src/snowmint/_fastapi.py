"""What FastAPI is validating: it validates answers and bodies by the same call, in the same mode."""

from __future__ import annotations

import sys


def fills_an_answer() -> bool:
    """Returns whether the validator that calls this is given what an endpoint returned.

    Only FastAPI's own field knows that, and it is the caller of Pydantic. Where it cannot be found,
    as it could be in a later FastAPI, the answer is no.
    """
    frame = sys._getframe(1)
    # Past the application's validators to the innermost call of Pydantic, and to its caller.
    while frame.f_globals.get("__name__") != "pydantic.type_adapter":
        if frame.f_back is None or frame.f_globals.get("__name__") == "pydantic.main":
            return False
        frame = frame.f_back
    field = frame.f_back and frame.f_back.f_locals.get("self")
    is_of_fastapi = type(field).__module__.startswith("fastapi.")
    return is_of_fastapi and getattr(field, "mode", None) == "serialization"
