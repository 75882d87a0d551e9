import os

from celery import Celery

import ids

app = Celery("tasks", broker=os.environ.get("BROKER_URL", "memory://"))

ORDERS: dict[int, str] = {}  # stands for a table with a primary key


def order(customer: str) -> int:
    """What a route does: makes the ID, and sends it as a string, which no reader rounds."""
    id = ids.flake.next_id()
    add_order.delay(str(id), customer)
    return id


@app.task(autoretry_for=(ConnectionError,), retry_backoff=True)
def add_order(id: str, customer: str) -> None:
    """Adds the order if it is not there. A retry has the same ID, so it adds nothing again."""
    ORDERS.setdefault(int(id), customer)


@app.task
def import_orders(customers: list[str]) -> list[str]:
    """Makes IDs in the worker. If it is retried, it makes others."""
    return [str(id) for id in ids.flake.next_ids(len(customers))]
