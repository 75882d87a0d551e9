"""Migrations of a Django project, by its own commands: the project is that of the README."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_readme import blocks

SETTINGS = """
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent
INSTALLED_APPS = ["shop"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "shop.db"}}
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


class Project:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (settings,) = (block for block in blocks() if block.startswith("SNOWMINT ="))
        (models,) = (block for block in blocks() if "IdField()" in block)
        (directory / "settings.py").write_text(SETTINGS + settings)
        (directory / "shop").mkdir()
        (directory / "shop/__init__.py").touch()
        (directory / "shop/models.py").write_text(models)

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


@pytest.mark.parametrize(
    ("setting", "said"),
    [("None", "set SNOWMINT to the URL of a source"), ("'uuid:'", "SNOWMINT opens a UuidSource")],
)
def test_what_is_no_source_is_said(project: Project, setting: str, said: str) -> None:
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
