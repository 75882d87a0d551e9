from datetime import datetime

from django.db.models import QuerySet
from snowmint import Layout

from shop.models import Order


def orders_between(begin: datetime, end: datetime) -> QuerySet[Order]:
    """The time is in the ID, so the primary key's index finds them."""
    first, behind = (Layout.TWITTER.min_id(time) for time in (begin, end))
    return Order.objects.filter(id__gte=first, id__lt=behind).order_by("id")
