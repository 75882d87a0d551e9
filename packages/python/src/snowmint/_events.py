"""Events as records of ``logging``, by the logger ``snowmint``."""

from __future__ import annotations

import sys

_LEVELS = {"warning": 30, "info": 20}


def log(
    event: str,
    severity: str,
    source: str,
    tag: str | None,
    worker_id: int | None,
    code: str | None,
    message: str,
) -> None:
    # If nobody has imported it, nobody has a handler, and a fork could happen during the import.
    if "logging" not in sys.modules:
        return
    import logging

    logger = logging.getLogger("snowmint")
    if not any(isinstance(handler, logging.NullHandler) for handler in logger.handlers):
        # Without any handler, warnings would go to standard error unasked.
        logger.addHandler(logging.NullHandler())
    facts = {
        "snowmint_event": event,
        "source": source,
        "tag": tag,
        "worker_id": worker_id,
        "code": code,
    }
    logger.log(_LEVELS[severity], "%s: %s", event, message, extra=facts)
