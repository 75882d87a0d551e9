"""IDs in Django REST framework: strings in JSON, which JavaScript does not round."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

ID = 1541815603606036481


@pytest.fixture(scope="module")
def order(django_shop: None) -> Any:
    from django.db import connection, models
    from snowmint.django import IdField

    class Consignment(models.Model):
        id = IdField(default=None)
        parent = models.ForeignKey("self", models.CASCADE, null=True)

        class Meta:
            app_label = "shop"

    with connection.schema_editor() as editor:
        editor.create_model(Consignment)
    return Consignment


def test_ids_are_strings_in_json(order: Any) -> None:
    from rest_framework.parsers import JSONParser
    from rest_framework.renderers import JSONRenderer
    from rest_framework.serializers import ModelSerializer, PrimaryKeyRelatedField
    from snowmint.rest_framework import IdField

    class OrderSerializer(ModelSerializer):
        id = IdField()
        parent = PrimaryKeyRelatedField(
            queryset=order.objects.all(), pk_field=IdField(), allow_null=True
        )

        class Meta:
            model = order
            fields = ["id", "parent"]

    first = order.objects.create(id=ID)
    second = order.objects.create(id=ID + 1, parent=first)
    written = JSONRenderer().render(OrderSerializer([first, second], many=True).data)
    assert json.loads(written) == [
        {"id": str(ID), "parent": None},
        {"id": str(ID + 1), "parent": str(ID)},
    ]
    for number, body in enumerate(
        ({"id": ID + 2, "parent": ID}, {"id": str(ID + 3), "parent": str(ID)}), start=2
    ):
        read = OrderSerializer(data=JSONParser().parse(BytesIO(json.dumps(body).encode())))
        assert read.is_valid(), read.errors
        assert read.save().id == ID + number and order.objects.get(id=ID + number).parent == first


def test_what_is_no_id_is_refused(order: Any) -> None:
    from rest_framework.exceptions import ValidationError
    from rest_framework.serializers import PrimaryKeyRelatedField
    from snowmint.rest_framework import IdField

    field = IdField()
    assert field.run_validation(2**64 - 1) == field.run_validation(str(2**64 - 1)) == 2**64 - 1
    parent = PrimaryKeyRelatedField(queryset=order.objects.all(), pk_field=IdField())
    wrong: list[Any] = [-1, 2**64, 7.0, True, [7], {}, "-1", "07", " 7", "1e3", "٧", str(2**64)]
    for value in wrong:
        for each in (field, parent):
            with pytest.raises(ValidationError, match="an ID is an integer from 0 to 1844674407370955"):
                each.run_validation(value)


def test_the_schema_of_an_id_is_a_string() -> None:
    from rest_framework.schemas.openapi import AutoSchema
    from snowmint.rest_framework import IdField

    assert AutoSchema().map_field(IdField()) == {"type": "string"}
