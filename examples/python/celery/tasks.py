import os
from typing import Any

from celery import Celery
from snowmint import SnowmintError

import ids

app = Celery("tasks", broker=os.environ.get("BROKER_URL", "memory://"))

# With these options, an outage or a killed worker delays a task, but does not lose it.
KEEP: dict[str, Any] = {
    "autoretry_for": (SnowmintError, ConnectionError),  # with SQLAlchemy, also OperationalError
    "max_retries": None,  # by default, Celery drops a task after three retries
    "retry_backoff": True,
    "retry_backoff_max": 60,  # seconds
    "acks_late": True,
}
ORDERS: dict[int, str] = {}  # stands for a table with a primary key


def order(customer: str) -> int:
    """What a route does: makes the ID, and sends it as a string, which no reader rounds."""
    id = ids.flake.next_id()
    add_order.delay(str(id), customer)
    return id


@app.task(**KEEP)
def add_order(id: str, customer: str) -> None:
    """Adds the order if it is not there. A retry has the same ID, so it adds nothing again."""
    ORDERS.setdefault(int(id), customer)


@app.task(**KEEP)
def import_orders(customers: list[str]) -> list[str]:
    """Makes IDs in the worker. If it is retried, it makes others."""
    return [str(id) for id in ids.flake.next_ids(len(customers))]
