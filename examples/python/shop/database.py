# --8<-- [start:os]
import os
# --8<-- [end:os]
from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends
# --8<-- [start:engine]
from sqlalchemy import create_engine
from sqlalchemy.orm import Session, sessionmaker

engine = create_engine(os.environ["DATABASE_URL"], pool_pre_ping=True)
new_session = sessionmaker(engine, class_=Session)
# --8<-- [end:engine]


def session() -> Iterator[Session]:
    with new_session() as session:
        yield session


# The type of a route's parameter: the route gets a session of its request.
Database = Annotated[Session, Depends(session)]
