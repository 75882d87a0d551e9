from django.urls import include, path, register_converter
from rest_framework.routers import DefaultRouter

from shop.public import OrderId, show_order
from shop.views import Lines, Orders

register_converter(OrderId, "order_id")
router = DefaultRouter(trailing_slash=False)
router.register("orders", Orders)
router.register("lines", Lines)
urlpatterns = [
    path("public/orders/<order_id:id>", show_order),
    path("", include(router.urls)),
]
