import os

from celery import Celery

import ids

app = Celery("tasks", broker=os.environ.get("BROKER_URL", "memory://"))

ORDERS: dict[int, str] = {}  # stands for a table with a primary key


@app.task(autoretry_for=(ConnectionError,), retry_backoff=True)
def add_order(id: str, customer: str) -> None:
    """Adds the order if it is not there. A retry has the same ID, so it adds nothing again."""
    ORDERS.setdefault(int(id), customer)


@app.task
def import_orders(customers: list[str]) -> list[str]:
    """Makes IDs in the worker: each process of the pool has its own worker ID."""
    return [str(id) for id in ids.flake.next_ids(len(customers))]


def order(customer: str) -> int:
    """Makes the ID before it sends the task. JSON of Celery keeps all digits, but its readers in
    other languages may not: the ID is sent as a string."""
    id = ids.flake.next_id()
    add_order.delay(str(id), customer)
    return id
