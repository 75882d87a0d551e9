# --8<-- [start:serializers]
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
class Lines(ModelViewSet):
    queryset = Line.objects.order_by("id")
    serializer_class = LineSerializer


class Orders(ModelViewSet):
    queryset = Order.objects.order_by("id")
    serializer_class = OrderSerializer
# --8<-- [end:views]
