"""Shared parts of the tests: a store, a generator, and a check that the installed package is tested."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import snowmint


def pytest_report_header() -> str:
    return f"snowmint {snowmint.version} in {Path(snowmint.__file__).parent}"


@pytest.fixture(scope="session", autouse=True)
def installed() -> None:
    """The package under test is the installed one, not the source tree."""
    assert Path(snowmint.__file__).is_relative_to(sys.prefix)


@contextmanager
def database_server(name: str) -> Iterator[str]:
    """The URL of the one that all tests share, or of one for a while."""
    if url := os.environ.get(f"SNOWMINT_TEST_{name.upper()}"):
        yield url
        return
    command = [Path(__file__).parents[3] / "scripts/servers", "run", name]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        yield process.stdout.readline().strip()
        process.stdin.close()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with database_server("postgres") as url:
        yield url


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """The URL of a new database."""
    name = f"test_{uuid.uuid4().hex}"
    client = ["psql", "-X", "-q", "-d", postgres_server, "-c"]
    subprocess.run([*client, f"CREATE DATABASE {name}"], check=True)
    yield postgres_server.replace("/postgres?", f"/{name}?")
    subprocess.run([*client, f"DROP DATABASE {name} WITH (FORCE)"], check=True)


@pytest.fixture
def store(tmp_path: Path) -> snowmint.SqliteStore:
    store = snowmint.SqliteStore(tmp_path / "ids.db", create=True)
    store.create_tag("orders")
    return store


@pytest.fixture
def flake(tmp_path: Path) -> Iterator[snowmint.Snowflake]:
    with snowmint.Snowflake(worker_id=7, state_directory=tmp_path / "state") as flake:
        yield flake


class Awaiting:
    """A thread that waits for the first number of a tag, whose allocator was called and has not
    answered yet."""

    def __init__(self) -> None:
        self.called, self.may_answer = threading.Event(), threading.Event()
        self.orders = snowmint.Segment("orders", allocate=self.allocate, wait_ms=60_000)
        self.ids: list[int] = []
        self.thread = threading.Thread(target=lambda: self.ids.append(self.orders.next_id()))
        self.thread.start()
        assert self.called.wait(60)

    def allocate(self, tag: str, count: int) -> tuple[int, int]:
        self.called.set()
        assert self.may_answer.wait(60)
        return 1, 1 + count

    def answered(self) -> list[int]:
        """Lets the allocator answer, and returns the minted IDs."""
        self.may_answer.set()
        self.thread.join()
        return self.ids


@pytest.fixture
def awaiting() -> Iterator[Awaiting]:
    awaiting = Awaiting()
    yield awaiting
    awaiting.answered()


@pytest.fixture(scope="session")
def django_shop() -> None:
    """Django, set up for models that tests define."""
    import django
    from django.conf import settings

    databases = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
    settings.configure(DATABASES=databases, USE_TZ=True)
    django.setup()
