# --8<-- [start:serializers]
from rest_framework.pagination import CursorPagination
from rest_framework.viewsets import ModelViewSet
from snowmint.rest_framework import ModelSerializer

from shop.models import Line, Order


class LineSerializer(ModelSerializer):
    class Meta:
        model = Line
        fields = ["id", "order", "item"]


class OrderSerializer(ModelSerializer):
    lines = LineSerializer(many=True, read_only=True)

    class Meta:
        model = Order
        fields = ["id", "ticket", "customer", "lines"]
# --8<-- [end:serializers]


# --8<-- [start:views]
class Pages(CursorPagination):
    ordering = "id"  # snowflakes sort by time
    page_size = 50


class Lines(ModelViewSet):
    queryset = Line.objects.all()
    serializer_class = LineSerializer
    pagination_class = Pages


class Orders(ModelViewSet):
    queryset = Order.objects.all()
    serializer_class = OrderSerializer
    pagination_class = Pages
# --8<-- [end:views]
