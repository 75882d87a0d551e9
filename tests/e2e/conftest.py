"""Fixtures of the tests: the command in a directory of its own, clocks, and strace."""

import contextlib
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import uuid

import pytest

import clocks
import driver
from ports import PROCESS, PROCESSES
from services import Service

# These files are run by scripts/test-cluster, once the languages are packed, and scripts/check-images.
NEEDS = {"test_cluster_languages.py": "SNOWMINT_INSTALLED", "test_images.py": "SNOWMINT_IMAGES"}
collect_ignore = [file for file, variable in NEEDS.items() if variable not in os.environ]


def pytest_configure(config):
    config.addinivalue_line("markers", "thorough: slow, and seldom finds what is new")


def pytest_collection_modifyitems(items):
    """Those of the thorough tier run where SNOWMINT_THOROUGH is 1."""
    if os.environ.get("SNOWMINT_THOROUGH") == "1":
        return
    for item in items:
        if item.get_closest_marker("thorough"):
            item.add_marker(pytest.mark.skip(reason="thorough tier"))


@pytest.fixture
def snowmint(tmp_path):
    """The command, its state in a directory of this test."""
    return driver.Snowmint(tmp_path)


@pytest.fixture
def start_service(snowmint):
    """Starts services; they end with the test."""
    with contextlib.ExitStack() as running:
        yield lambda *words, **more: running.enter_context(Service(snowmint, *words, **more))


@pytest.fixture
def create_token(snowmint):
    """Makes tokens by their names, in tokens.toml."""

    def create(name, *words, **more):
        command = ("token", "create", "--file", "tokens.toml", "--name", name)
        return snowmint.run(*command, *words, **more).must_succeed().output.strip()

    return create


@pytest.fixture(scope="session")
def faketime_library():
    path = clocks.library()
    assert path, "libfaketime is missing: run scripts/setup"
    return path


@pytest.fixture
def new_clock(tmp_path, faketime_library):
    """Makes clocks; each can be set and stepped."""
    count = itertools.count()
    return lambda: clocks.Clock(tmp_path / f"clock-{next(count)}", faketime_library)


@pytest.fixture
def clock(new_clock):
    return new_clock()


@pytest.fixture(scope="session")
def strace():
    """strace's path; skips where processes may not be traced, as in some containers."""
    path = shutil.which("strace")
    assert path, "strace is missing: run scripts/setup"
    traced = subprocess.run(
        [path, "-f", "-o", "/dev/null", "-e", "inject=fsync:error=EIO", sys.executable, "-c", ""],
        capture_output=True,
        text=True,
        check=False,
    )
    if traced.returncode != 0:
        pytest.skip(f"processes cannot be traced here: {traced.stderr.strip()}")
    return path


@pytest.fixture(scope="session")
def postgres_server():
    """The URL of a PostgreSQL: the one that all tests share, or one for this session."""
    with driver.server("postgres") as url:
        yield url


def new_database(postgres_server):
    """Yields the URL of a new database."""
    name = f"test_{uuid.uuid4().hex}"
    client = ["psql", "-X", "-q", "-d", postgres_server, "-c"]
    subprocess.run([*client, f"CREATE DATABASE {name}"], check=True)
    yield postgres_server.replace("/postgres?", f"/{name}?")
    subprocess.run([*client, f"DROP DATABASE {name} WITH (FORCE)"], check=True)


# Two databases of one server, for tests that need both.
postgres = pytest.fixture(new_database, name="postgres")
second_database = pytest.fixture(new_database, name="second_database")


@pytest.fixture(scope="session")
def mariadb_server():
    """The same of a MariaDB."""
    with driver.server("mariadb") as url:
        yield url


@pytest.fixture
def mariadb(mariadb_server):
    """The URL of a new database."""
    name = f"test_{uuid.uuid4().hex}"
    host, port = re.search(r"@(.*):(\d+)/", mariadb_server).groups()
    client = ["mariadb", "--no-defaults", "-u", "root", "-h", host, "-P", port, "-e"]
    subprocess.run([*client, f"CREATE DATABASE {name}"], check=True)
    yield mariadb_server.replace("/mysql?", f"/{name}?")
    subprocess.run([*client, f"DROP DATABASE {name}"], check=True)


@pytest.fixture(scope="session")
def redis_server():
    """The same of a Redis."""
    with driver.server("redis") as url:
        yield url


@pytest.fixture
def redis(redis_server):
    """The URL of an empty database, which no other process of pytest-xdist takes."""
    url = f"{redis_server}/{random.randrange(PROCESS, 10_000, PROCESSES)}"
    subprocess.run(["redis-cli", "-u", url, "FLUSHDB"], stdout=subprocess.DEVNULL, check=True)
    return f"{url}?durability=checked"


@pytest.fixture(scope="session")
def etcd_server():
    """The same of etcd."""
    with driver.server("etcd") as url:
        yield url


@pytest.fixture
def etcd(etcd_server):
    """The URL of keys below a new prefix."""
    return f"{etcd_server}/test-{uuid.uuid4().hex}?connect_timeout=0"


@pytest.fixture(scope="session")
def zookeeper_server():
    """The same of ZooKeeper."""
    with driver.server("zookeeper") as url:
        yield url


@pytest.fixture
def zookeeper(zookeeper_server):
    """The URL of what is below a new node."""
    return f"{zookeeper_server}/test-{uuid.uuid4().hex}?connect_timeout=0"
