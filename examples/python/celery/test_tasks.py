import tasks

tasks.app.conf.task_always_eager = True


def test_a_retry_adds_nothing_again() -> None:
    id = tasks.order("ann")
    tasks.add_order.delay(str(id), "ann")
    assert tasks.ORDERS == {id: "ann"}


def test_ids_are_made_in_the_worker() -> None:
    made = tasks.import_orders.delay(["bo", "cy"]).get()
    assert len({int(id) for id in made}) == 2
