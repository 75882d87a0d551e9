"""IDs in Django REST framework: strings in JSON, which JavaScript does not round."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from test_django import Project

ID = 1541815603606036481

MODELS = """
from django.db import models
from snowmint import PublicIdKeys
from snowmint.django import IdField, NewId, PublicIdField

public = PublicIdKeys.from_bytes(b"[keys]\\n1 = '2b7e151628aed2a6abf7158809cf4f3c'").public_ids("crate")


class Order(models.Model):
    id = IdField()
    parent = models.ForeignKey("self", models.CASCADE, null=True)


class Label(models.Model):
    order = models.OneToOneField(Order, models.CASCADE, primary_key=True)
    number = IdField(primary_key=False, editable=True)
    others = models.ManyToManyField(Order, related_name="labels")


class Copy(models.Model):
    label = models.ForeignKey(Label, models.CASCADE)


class Crate(models.Model):
    id = PublicIdField(public, primary_key=True, default=NewId())
    holds = models.ForeignKey(Order, models.CASCADE)
"""
SETTINGS = """
ROOT_URLCONF = "urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS += ["rest_framework"]
REST_FRAMEWORK = {"UNAUTHENTICATED_USER": None}
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
"""
URLS = """
from django.urls import include, path
from rest_framework import routers, serializers, viewsets
from shop.models import Copy, Crate, Label, Order
from snowmint.rest_framework import ModelSerializer

router = routers.DefaultRouter()


def served(name, of, *fields, depth=0, **declared):
    meta = type("Meta", (), {"model": of, "fields": fields, "depth": depth})
    serializer = type("AnySerializer", (ModelSerializer,), {"Meta": meta, **declared})
    options = {"queryset": of.objects.order_by("pk"), "serializer_class": serializer}
    router.register(name, type("AnyView", (viewsets.ModelViewSet,), options), name)


related = serializers.PrimaryKeyRelatedField
any_order = related(queryset=Order.objects.all(), allow_null=True)
served("orders", Order, "id", "parent")
served("declared", Order, "id", "parent", parent=any_order)
served("read-only", Order, "id", "parent", parent=related(read_only=True))
served("renamed", Order, "source", source=related(source="parent", read_only=True))
served("nested", Order, "id", "parent", depth=1)
served("reverse", Order, "labels")
served("labels", Label, "order", "number", "others")
served("copies", Copy, "label")
served("crates", Crate, "id", "holds")
urlpatterns = [path("", include(router.urls))]
"""
ASKING = """
import django; django.setup()
from django.test import Client
from django.test.utils import setup_test_environment

setup_test_environment()
client = Client()


def posted(name, body, status=201):
    answer = client.post(f"/{name}/", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


first = posted("orders", {"parent": None})
one = first["id"]
assert int(one) > 2**53
for parent, name in ((one, "orders"), (int(one), "declared")):
    row = posted(name, {"parent": parent})
    two = row["id"]
    assert type(two) is str and row == {"id": two, "parent": one}
    for shown in ("orders", "declared", "read-only"):
        assert client.get(f"/{shown}/{two}/").json() == row
    assert client.get(f"/renamed/{two}/").json() == {"source": one}
    assert client.get(f"/nested/{two}/").json() == {"id": two, "parent": first}
assert list(posted("orders", {"parent": "07"}, 400)) == ["parent"]

label = {"order": one, "number": str(2**63 - 1), "others": [one, two]}
for wrong in (2**63, 2**64, -1, "07"):
    assert list(posted("labels", {**label, "number": wrong}, 400)) == ["number"]
assert posted("labels", {"order": int(one), "number": 2**63 - 1, "others": [int(one), two]}) == label
assert client.get(f"/labels/{one}/").json() == label
assert client.get(f"/reverse/{two}/").json() == {"labels": [one]}
assert posted("copies", {"label": one}) == {"label": one}

crate = posted("crates", {"holds": one})
assert crate["id"].startswith("crate_1") and crate["holds"] == one
assert client.get(f"/crates/{crate['id']}/").json() == crate
for wrong in (7, "7", "crate_1"):
    assert list(posted("crates", {"id": wrong, "holds": one}, 400)) == ["id"]
for page in ("orders", "labels", "crates"):
    # REST framework's own pages, with a form.
    assert client.get(f"/{page}/", headers={"accept": "text/html"}).status_code == 200
"""


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


def test_a_model_serializer_needs_no_option(tmp_path: Path) -> None:
    project = Project(tmp_path)
    with (tmp_path / "settings.py").open("a") as settings:
        settings.write(SETTINGS)
    (tmp_path / "shop/models.py").write_text(MODELS)
    (tmp_path / "urls.py").write_text(URLS)
    project.must("-m", "django", "makemigrations", "shop")
    project.must("-m", "django", "migrate")
    project.must("-c", ASKING)


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
