"""Migrations of a Django project, by its own commands."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import snowmint

SETTINGS = """
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent
INSTALLED_APPS = ["shop"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "shop.db"}}
SNOWMINT = f"snowflake+sqlite:{BASE_DIR}/ids.db?create=true"
TICKETS = f"segment+sqlite:{BASE_DIR}/ids.db?tag=tickets"
"""
MODELS = """
from django.db import models
from snowmint.django import IdField, NewId


class Order(models.Model):
    id = IdField()
    ticket = models.BigIntegerField(default=NewId("TICKETS"))
"""
MINTING = """
import django; django.setup()
import os
from shop.models import Order
from snowmint import Layout

order = Order.objects.create()
Order.objects.bulk_create(Order() for _ in range(99))
assert Order.objects.filter(pk=order.id).get() == order
if (child := os.fork()) == 0:
    django.db.connections.close_all()
    Order().save()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
rows = list(Order.objects.values_list("id", "ticket"))
assert len({id for id, _ in rows}) == 101
assert len({Layout.TWITTER.decode(id).worker_id for id, _ in rows}) == 2
assert len({ticket for _, ticket in rows}) == 101 and min(ticket for _, ticket in rows) == 1
"""

RELATED = """
from snowmint import PublicIdKeys
from snowmint.django import PublicIdField

public = PublicIdKeys.from_bytes(b"[keys]\\n1 = '2b7e151628aed2a6abf7158809cf4f3c'").public_ids("pub")


class Pub(models.Model):
    id = PublicIdField(public, primary_key=True, default=NewId())
    friends = models.ManyToManyField("self")


class Line(models.Model):
    pub = models.ForeignKey(Pub, models.CASCADE, null=True)
"""
RELATING = """
import django; django.setup()
from shop.models import Line, Pub, public

pub, other = Pub.objects.create(), Pub.objects.create(id=public.encode(2**64 - 1))
line, lines = pub.line_set.create(), Line.objects
lines.bulk_create([Line(pub=pub), Line(pub=other), Line()])
assert pub.line_set.count() == 2 and lines.get(pk=line.pk).pub_id == pub.pk
these = Pub.objects.filter(pk=pub.pk)
for asked in [
    {"pub": pub}, {"pub": pub.pk}, {"pub_id": pub.pk}, {"pub__pk": pub.pk}, {"pub__in": [pub]}, {"pub_id__in": [pub.pk]},
    {"pub__in": these}, {"pub__in": these.values("pk")},
]:
    assert lines.filter(**asked).count() == 2, asked
    assert lines.exclude(**asked).count() == 2, asked
assert lines.filter(pub=other).get().pub == other
assert lines.filter(pub=None).get().pub is None
assert lines.filter(pub__in=[pub, other]).count() == 3
assert Pub.objects.filter(line=line).get() == pub == Pub.objects.filter(line__in=[line]).get()
assert Pub.objects.filter(line=None).count() == 0
sizes = {each.pk: len(each.line_set.all()) for each in Pub.objects.prefetch_related("line_set")}
assert sizes == {pub.pk: 2, other.pk: 1}
ahead = lines.prefetch_related("pub").order_by("pk")
assert [each.pub for each in ahead] == [pub, pub, other, None]
pub.friends.add(other)
assert other.friends.get() == pub and Pub.objects.filter(friends=pub).get() == other
line.pub = None
line.save()
assert lines.get(pk=line.pk).pub is None and lines.filter(pk=line.pk).update(pub=pub) == 1
line.pub = other
lines.bulk_update([line], ["pub"])
assert other.line_set.count() == 2
raw = public.decode(pub.pk)
for wrong in ({"pub": raw}, {"pub_id": raw}, {"pub__in": [raw]}, {"pub__pk": raw}):
    try:
        assert lines.filter(**wrong).count() == "no answer"
    except TypeError as error:
        assert "shop.Pub.id takes a public ID, as ids.encode(id) makes one" in str(error)
pub.delete()
assert lines.count() == 3 and Pub.objects.get() == other
"""

ADMIN = """
SECRET_KEY = "of no use"
ROOT_URLCONF = "urls"
ALLOWED_HOSTS = ["testserver"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS += [f"django.contrib.{app}" for app in ("admin", "auth", "contenttypes", "sessions", "messages")]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
PROCESSORS = ["template.context_processors.request", "contrib.auth.context_processors.auth"]
PROCESSORS.append("contrib.messages.context_processors.messages")
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "APP_DIRS": True,
    "OPTIONS": {"context_processors": [f"django.{name}" for name in PROCESSORS]},
}]
"""
URLS = """
from django import forms
from django.contrib import admin
from django.urls import path
from shop.models import Pub


@admin.register(Pub)
class Pubs(admin.ModelAdmin):
    exclude = ["friends"]


class Areas(admin.ModelAdmin):
    formfield_overrides = {type(Pub._meta.pk): {"widget": forms.Textarea}}


areas = Areas(Pub, admin.site).formfield_for_dbfield(Pub._meta.pk, None)
urlpatterns = [path("admin/", admin.site.urls)]
"""
ADMINISTERING = """
import django; django.setup()
import re
from django import forms
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from shop.models import Pub, public
import urls

client = Client()
client.force_login(User.objects.create_superuser("root"))


def shown(page):
    html = client.get(page).content.decode()
    (tag,) = re.findall('<input [^>]*name="id"[^>]*>', html)
    attributes = dict(re.findall('([a-z]+)="([^"]*)"', tag))
    assert (attributes["type"], attributes["class"]) == ("text", "vTextField"), tag
    return attributes["value"]


adding = reverse("admin:shop_pub_add")
token = shown(adding)
assert client.post(adding, {"id": token}).status_code == 302
assert Pub.objects.get().pk == token and public.decode(token) > 0
changing = reverse("admin:shop_pub_change", args=[token])
assert shown(changing) == token
assert client.post(changing, {"id": token}).status_code == 302 and Pub.objects.get().pk == token
raw = client.post(adding, {"id": str(public.decode(token))})
assert raw.status_code == 200 and b"it is of another type" in raw.content and Pub.objects.count() == 1
assert isinstance(urls.areas.widget, forms.Textarea)
"""

OWNED = """
from django.db import models
from snowmint.django import IdField


class Order(models.Model):
    id = IdField()


class Line(models.Model):
    id = IdField()
    order = models.ForeignKey(Order, models.CASCADE)
    item = models.TextField()
"""
OWNED_URLS = """
from django.contrib import admin
from django.urls import path
from shop.models import Line, Order


class Lines(admin.TabularInline):
    model = Line
    extra = 1


@admin.register(Order)
class Orders(admin.ModelAdmin):
    inlines = [Lines]
    list_display = ["id"]
    search_fields = ["id__exact"]


@admin.register(Line)
class AllLines(admin.ModelAdmin):
    autocomplete_fields = ["order"]


urlpatterns = [path("admin/", admin.site.urls)]
"""
OWNED_ADMINISTERING = """
import django; django.setup()
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from shop.models import Line, Order

client = Client()
client.force_login(User.objects.create_superuser("root"))


def saved(page, lines, known=0, **more):
    forms = {"line_set-TOTAL_FORMS": lines, "line_set-INITIAL_FORMS": known, **more}
    assert client.post(page, forms).status_code == 302


saved(reverse("admin:shop_order_add"), 1, **{"line_set-0-item": "tea"})
order, line = Order.objects.get(), Line.objects.get()
assert min(order.id, line.id) > 2**53 and line.order == order
changing = reverse("admin:shop_order_change", args=[order.id])
shown = client.get(changing).content.decode()
assert f'name="line_set-0-id" value="{line.id}"' in shown
of_line = {"line_set-0-id": line.id, "line_set-0-order": order.id, "line_set-0-item": "rice"}
saved(changing, 2, known=1, **of_line, **{"line_set-1-item": "soap", "line_set-1-order": order.id})
assert list(Line.objects.order_by("id").values_list("item", flat=True)) == ["rice", "soap"]
assert Line.objects.first() == line and Order.objects.get() == order
assert str(order.id) in client.get(reverse("admin:shop_order_changelist"), {"q": order.id}).content.decode()
asked = {"app_label": "shop", "model_name": "line", "field_name": "order", "term": order.id}
(found,) = client.get(reverse("admin:autocomplete"), asked).json()["results"]
assert found["id"] == str(order.id)
assert client.post(reverse("admin:shop_line_add"), {"order": order.id, "item": "salt"}).status_code == 302
assert order.line_set.count() == 3
"""


class Project:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / "settings.py").write_text(SETTINGS)
        (directory / "shop").mkdir()
        (directory / "shop/__init__.py").touch()
        (directory / "shop/models.py").write_text(MODELS)

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "settings", **environment}
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=self.directory, env=environment, capture_output=True, text=True
        )

    def must(self, *arguments: str) -> str:
        ended = self.run(*arguments)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_model_is_migrated_and_minted_for(project: Project) -> None:
    project.must("-m", "django", "makemigrations", "shop")
    written = (project.directory / "shop/migrations/0001_initial.py").read_text()
    # No URL, in which a password may be, and no source opened.
    assert "default=snowmint.django.NewId()" in written and "sqlite:" not in written
    assert "snowmint.django.NewId('TICKETS')" in written
    assert "models.BigIntegerField(" in written and not (project.directory / "ids.db").exists()
    project.must("-m", "django", "makemigrations", "--check", "--dry-run")
    project.must("-m", "django", "migrate")
    store = "import snowmint; snowmint.Store.open('sqlite:ids.db?create=true').ensure_tag('tickets')"
    project.must("-c", store)
    project.must("-c", MINTING)


def test_rows_with_public_ids_are_related(project: Project) -> None:
    with (project.directory / "shop/models.py").open("a") as models:
        models.write(RELATED)
    project.must("-m", "django", "makemigrations", "shop")
    project.must("-m", "django", "makemigrations", "--check", "--dry-run")
    project.must("-m", "django", "migrate")
    project.must("-c", RELATING)


@pytest.mark.parametrize(
    ("models", "urls", "administering"),
    [(RELATED, URLS, ADMINISTERING), (OWNED, OWNED_URLS, OWNED_ADMINISTERING)],
    ids=["public IDs", "IDs"],
)
def test_the_admin_shows_ids_and_takes_them(
    project: Project, models: str, urls: str, administering: str
) -> None:
    with (project.directory / "settings.py").open("a") as settings:
        settings.write(ADMIN)
    with (project.directory / "shop/models.py").open("a" if models is RELATED else "w") as file:
        file.write(models)
    (project.directory / "urls.py").write_text(urls)
    project.must("-m", "django", "makemigrations", "shop")
    project.must("-m", "django", "migrate")
    project.must("-c", administering)


def test_migrations_leave_the_tables_of_a_store_alone(project: Project, postgres: str) -> None:
    url = urlsplit(postgres)
    database = {
        "ENGINE": "django.db.backends.postgresql", "NAME": url.path[1:], "USER": url.username, "HOST": url.hostname,
        "PORT": url.port,
    }
    with (project.directory / "settings.py").open("a") as settings:
        settings.write(f"DATABASES = {{'default': {database!r}}}\n")
    with snowmint.Store.open(f"{postgres}&create=true") as store:
        store.create_tag("orders")
        project.must("-m", "django", "makemigrations", "shop")
        for command in ("migrate",), ("flush", "--no-input"), ("migrate", "shop", "zero"):
            project.must("-m", "django", *command)
        (row,) = store.tags()
    assert row.tag == "orders"


@pytest.mark.parametrize(
    ("setting", "said"),
    [("None", "set SNOWMINT to the URL of a source"), ("'uuid:'", "SNOWMINT opens a UuidSource")],
)
def test_a_setting_that_opens_no_source_is_refused(project: Project, setting: str, said: str) -> None:
    with (project.directory / "settings.py").open("a") as settings:
        settings.write(f"SNOWMINT = {setting}\n")
    failed = project.run("-c", "import django; django.setup(); import shop.models as m; m.Order()")
    assert re.search(f"ImproperlyConfigured: {said}", failed.stderr), failed.stderr


def test_the_default_pickles_and_compares() -> None:
    from snowmint.django import NewId

    default = NewId("TICKETS")
    assert pickle.loads(pickle.dumps(default)) == default != NewId()
    assert len({default, NewId("TICKETS"), NewId()}) == 2
    assert default.deconstruct() == ("snowmint.django.NewId", ["TICKETS"], {})
