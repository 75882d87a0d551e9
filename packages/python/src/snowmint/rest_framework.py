"""IDs in Django REST framework's serializers, as strings in JSON::

    class OrderSerializer(ModelSerializer):   # the one of this module
        class Meta:
            model = Order                     # whose id is an IdField, or a PublicIdField
            fields = ["id", "parent"]         # foreign keys to such models as well
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.core.validators import MaxValueValidator
from rest_framework import serializers
from rest_framework.utils import model_meta

from snowmint._raw_ids import NO_ID, of_json
from snowmint.django import IdField as ModelIdField
from snowmint.django import PublicIdField

if TYPE_CHECKING:
    from django.db import models

    _Field = serializers.Field[int, Any, str, Any]
    _ModelSerializer = serializers.ModelSerializer[Any]
else:
    _Field = serializers.Field
    _ModelSerializer = serializers.ModelSerializer

__all__ = ["IdField", "ModelSerializer"]


class IdField(_Field):
    """A 64-bit ID: an ``int`` in Python, and a string of decimal digits in JSON.

    JavaScript rounds integers above 2**53, so an ID in JSON is a string. As input, integers and
    strings of decimal digits are accepted. A ``ModelSerializer`` of this module uses it by itself.
    Elsewhere it is the ``pk_field`` of a ``PrimaryKeyRelatedField``, for related objects.

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


class ModelSerializer(_ModelSerializer):
    """A ``ModelSerializer`` of Django REST framework that writes IDs as strings.

    The fields of the models' ``snowmint.django.IdField`` are an ``IdField``. Related objects whose
    primary key is such a field have an ``IdField`` as their ``pk_field``, also in a
    ``PrimaryKeyRelatedField`` that you declare without one. The fields of a ``PublicIdField`` take
    and write its public IDs.
    """

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        ModelIdField: IdField,
        PublicIdField: serializers.ModelField,
    }

    def build_standard_field(self, field_name: str, model_field: Any) -> tuple[Any, Any]:
        field, options = super().build_standard_field(field_name, model_field)
        if field is IdField:
            # REST framework takes them out of the validators of an integer.
            options.pop("min_value", None)
            if (largest := options.pop("max_value", None)) is not None:
                options["validators"] = [*options.get("validators", ()), MaxValueValidator(largest)]
        return field, options

    def build_nested_field(
        self, field_name: str, relation_info: Any, nested_depth: int
    ) -> tuple[Any, Any]:
        nested: Any
        nested, options = super().build_nested_field(field_name, relation_info, nested_depth)
        return type("NestedSerializer", (ModelSerializer,), {"Meta": nested.Meta}), options

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        relations = model_meta.get_field_info(self.Meta.model).relations
        for name, field in fields.items():
            one = getattr(field, "child_relation", field)
            if isinstance(one, serializers.PrimaryKeyRelatedField) and one.pk_field is None:
                model = _model_of(one, relations.get(field.source or name))
                if model is not None and _has_ids(model):
                    one.pk_field = IdField()
        return fields


def _model_of(field: Any, relation: Any) -> type[models.Model] | None:
    """Returns the model of a field of related objects, if it is known. A field that can only be
    read has no queryset."""
    if field.queryset is not None:
        return cast("type[models.Model]", field.queryset.model)
    return None if relation is None else relation.related_model


def _has_ids(model: type[models.Model]) -> bool:
    """Returns whether the primary key is an ``IdField``, or an object whose primary key is one."""
    key: Any = model._meta.pk
    return isinstance(key.target_field if key.is_relation else key, ModelIdField)
