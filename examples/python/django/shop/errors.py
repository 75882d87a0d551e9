"""Answers with 503 if the store of IDs or the database is down."""
import logging
from typing import Any

from django.db import OperationalError
from rest_framework.response import Response
from rest_framework.views import exception_handler
from snowmint import SnowmintError

log = logging.getLogger("shop")


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    if isinstance(error, SnowmintError) and not isinstance(error, ValueError):
        code = error.code
    elif isinstance(error, OperationalError):
        code = "database_unavailable"
    else:
        return exception_handler(error, context)
    log.error("%s: %s", context["request"].path, error)
    return Response({"detail": code}, 503)
