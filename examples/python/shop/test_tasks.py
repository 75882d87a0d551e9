from sqlalchemy import select

import tasks
from database import engine, new_session
from ids import flake
from models import Base, Order

tasks.app.conf.task_always_eager = True


def test_a_retry_adds_nothing_again() -> None:
    Base.metadata.drop_all(engine)
    Base.metadata.create_all(engine)
    id = flake.next_id()
    for _ in range(2):
        tasks.add_order.delay(str(id), "ann")
    with new_session() as session:
        assert session.scalars(select(Order.id)).all() == [id]
