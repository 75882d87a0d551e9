"""IDs as fields of Django REST framework's serializers::

    class OrderSerializer(serializers.ModelSerializer):
        id = IdField(read_only=True)                                        # a string in JSON
        parent = serializers.PrimaryKeyRelatedField(
            queryset=Order.objects.all(), pk_field=IdField()
        )
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from snowmint._raw_ids import NO_ID, of_json

if TYPE_CHECKING:
    _Field = serializers.Field[int, Any, str, Any]
else:
    _Field = serializers.Field

__all__ = ["IdField"]


class IdField(_Field):
    """A 64-bit ID: an ``int`` in Python, and a string of decimal digits in JSON.

    JavaScript rounds integers above 2**53, so an ID in JSON is a string. As input, integers and
    strings of decimal digits are accepted. For a related object it is the ``pk_field`` of a
    ``PrimaryKeyRelatedField``.

    Args:
        options: the options of a ``serializers.Field``.
    """

    default_error_messages = {"invalid": f"{NO_ID}, or a string of its digits"}

    def to_internal_value(self, data: Any) -> int:
        try:
            return of_json(data)
        except (TypeError, ValueError):
            self.fail("invalid")

    def to_representation(self, value: Any) -> str:
        return str(of_json(value))
