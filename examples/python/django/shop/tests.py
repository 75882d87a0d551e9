# --8<-- [start:shop]
import uuid

from django.test import TestCase, override_settings

from shop.models import Line, Order
from shop.public import order_ids


class Orders(TestCase):
    def test_ids_leave_and_return_as_strings(self) -> None:
        made = self.client.post("/orders", {"customer": "ann"}).json()
        self.assertIsInstance(made["id"], str)
        line = self.client.post("/lines", {"order": made["id"], "item": "tea"}).json()
        self.assertEqual(line["order"], made["id"])
        self.assertEqual(self.client.get(f"/orders/{made['id']}").json()["lines"], [line])

    def test_an_order_has_its_id_before_it_is_saved(self) -> None:
        order = Order(customer="bo")
        line = Line(order_id=order.id, item="rice")
        order.save()
        line.save()
        self.assertEqual(Order.objects.get(lines=line), order)
        later = Order.objects.create(customer="cy")
        self.assertGreater(later.id, order.id)
        self.assertGreater(later.ticket, order.ticket)

    def test_customers_see_public_ids(self) -> None:
        order = Order.objects.create(customer="ann")
        shown = order_ids().encode(order.id)
        answer = self.client.get(f"/public/orders/{shown}")
        self.assertEqual(answer.json(), {"id": shown, "customer": "ann"})
        for wrong in (order.id, shown[:-1]):
            self.assertEqual(self.client.get(f"/public/orders/{wrong}").status_code, 404)

    @override_settings(SNOWMINT=f"segment+memory:{uuid.uuid4()}?tag=orders")
    def test_ids_are_1_and_2(self) -> None:
        self.assertEqual([Order().id, Order().id], [1, 2])
# --8<-- [end:shop]


from datetime import timedelta
from unittest.mock import patch

import snowmint
from django.db import OperationalError
from django.utils import timezone
from shop.times import orders_between

missing = snowmint.Snowflake.open("snowflake+sqlite:/missing/ids.db", lazy=True)


class MoreOrders(TestCase):
    def test_an_order_is_changed_listed_and_removed(self) -> None:
        made = self.client.post("/orders", {"customer": "ann"}).json()
        path, bo = f"/orders/{made['id']}", {"customer": "bo"}
        changed = self.client.patch(path, bo, content_type="application/json").json()
        self.assertEqual(changed, {**made, **bo})
        self.assertEqual(self.client.get("/orders").json()["results"], [changed])
        self.assertEqual(self.client.delete(path).status_code, 204)
        self.assertEqual(self.client.get(path).status_code, 404)

    def test_what_no_column_holds_is_no_id(self) -> None:
        Order.objects.create(customer="ann")
        for id in (2**63, 2**64 - 1, 2**64):
            self.assertEqual(self.client.get(f"/orders/{id}").status_code, 404)
            line = self.client.post("/lines", {"order": str(id), "item": "tea"})
            self.assertEqual(line.status_code, 400)

    def test_the_time_of_an_order_is_in_its_id(self) -> None:
        order = Order.objects.create(customer="ann")
        now, minute = timezone.now(), timedelta(minutes=1)
        self.assertEqual(list(orders_between(now - minute, now + minute)), [order])
        self.assertEqual(list(orders_between(now + minute, now + 2 * minute)), [])

    def test_an_outage_is_503(self) -> None:
        def no_id(self: Order, **options: object) -> None:
            missing.next_id()

        def no_database(self: Order, **options: object) -> None:
            raise OperationalError

        for save, code in ((no_id, "store_missing"), (no_database, "database_unavailable")):
            with patch.object(Order, "save", save):
                answer = self.client.post("/orders", {"customer": "ann"})
            self.assertEqual((answer.status_code, answer.json()), (503, {"detail": code}))
