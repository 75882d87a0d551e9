from django.test import TestCase

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
