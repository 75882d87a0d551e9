"""Orders as customers see them: by public IDs."""
from functools import cache

from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from snowmint import PublicIdKeys, PublicIds

from shop.models import Order


@cache
def order_ids() -> PublicIds:
    """From the environment variable SNOWMINT_PUBLIC_ID_KEYS."""
    return PublicIdKeys.open("env:").public_ids("order")


class OrderId:
    """Reads an ID in a path. A text that is no public ID raises a ValueError, which is a 404."""

    regex = "order_[0-9a-z]+"

    def to_python(self, text: str) -> int:
        return order_ids().decode(text)

    def to_url(self, id: int) -> str:
        return order_ids().encode(id)


def show_order(request: HttpRequest, id: int) -> JsonResponse:
    order = get_object_or_404(Order, pk=id)
    return JsonResponse({"id": order_ids().encode(order.id), "customer": order.customer})
