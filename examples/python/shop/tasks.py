"""Tasks, which routes send and workers run. IDs travel as strings."""
import os

from celery import Celery
from sqlalchemy.exc import OperationalError

from database import new_session
from models import Order

app = Celery("tasks", broker=os.environ.get("BROKER_URL", "memory://"))


@app.task(autoretry_for=(OperationalError,), retry_backoff=True)
def add_order(id: str, customer: str) -> None:
    """Adds the order if it is not there: a task may run twice, and has the same ID each time."""
    with new_session() as session:
        if session.get(Order, int(id)) is None:
            session.add(Order(id=int(id), customer=customer))
            session.commit()
