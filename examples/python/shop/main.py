# --8<-- [start:app]
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from snowmint import SnowmintError
from sqlalchemy.exc import OperationalError, StatementError, TimeoutError

import ids
import public
import routes

logging.basicConfig(level=logging.INFO)  # the logger "snowmint" reports outages
log = logging.getLogger("shop")


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    try:
        ids.flake.check()  # a wrong URL, or a store without tables, ends the start here
        ids.tickets.check()
    except SnowmintError as error:
        if error.code not in ("store_unavailable", "wait_timeout"):  # down, or silent
            raise
        log.warning("starts without the store of IDs: %s", error)  # the first ID asks again
    yield


app = FastAPI(lifespan=lifespan)
app.include_router(routes.router)
app.include_router(public.router)
# --8<-- [end:app]


# --8<-- [start:errors]
@app.exception_handler(SnowmintError)
@app.exception_handler(StatementError)
@app.exception_handler(TimeoutError)  # SQLAlchemy's: all connections of the pool are in use
async def unavailable(request: Request, error: Exception) -> JSONResponse:
    cause = error.orig if isinstance(error, StatementError) else error
    if isinstance(cause, SnowmintError) and not isinstance(cause, ValueError):
        code = cause.code
    elif isinstance(error, (OperationalError, TimeoutError)):
        code = "database_unavailable"
    else:
        raise error  # another error of the database, or a mistake of the program
    log.error("%s %s: %s", request.method, request.url.path, cause)
    return JSONResponse({"detail": code}, 503)
# --8<-- [end:errors]
