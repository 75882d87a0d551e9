"""Tasks, which routes send and workers run. IDs travel as strings."""
import os

from celery import Celery
from snowmint import SnowmintError
from sqlalchemy.exc import OperationalError

import ids
from database import new_session
from models import Order

app = Celery("tasks", broker=os.environ.get("BROKER_URL", "memory://"))


@app.task(
    autoretry_for=(OperationalError, SnowmintError),  # the database or the store of IDs is down
    max_retries=None,  # by default, Celery drops a task after three retries
    retry_backoff=True,
    retry_backoff_max=60,  # seconds
    acks_late=True,  # if the worker is killed, another one runs the task
)
def add_order(id: str, customer: str) -> None:
    """Adds the order if it is not there: a task may run twice, and has the same ID each time."""
    with new_session() as session:
        if session.get(Order, int(id)) is None:
            # In a default=, the error of the source would be a StatementError.
            session.add(Order(id=int(id), ticket=ids.new_ticket(), customer=customer))
            session.commit()
