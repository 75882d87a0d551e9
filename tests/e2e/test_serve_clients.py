"""`snowmint serve` for clients that were written elsewhere, installed from their registries."""

import contextlib
import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from driver import REPOSITORY, assert_disjoint, assert_rising
from prometheus_client.parser import text_string_to_metric_families

CLIENTS = Path(__file__).with_name("clients")
BUILDS = REPOSITORY / "target"


@contextlib.contextmanager
def alone(name):
    """Locks the directory where this is built, for one process of pytest-xdist at a time."""
    BUILDS.mkdir(exist_ok=True)
    with open(BUILDS / f"{name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield BUILDS / name


@pytest.fixture(scope="session")
def java():
    """Runs a class of clients/java: the numbers that it printed."""
    with alone("e2e-java") as build:
        run, built = os.environ.get("PYTEST_XDIST_TESTRUNUID", ""), build / "run"
        if not run or not built.exists() or built.read_text() != run:
            words = ["--batch-mode", "--quiet", "--no-transfer-progress", f"-Dbuild.root={build}"]
            project = ["--file", CLIENTS / "java/pom.xml"]
            subprocess.run(["mvn", *words, *project, "process-classes"], check=True)
            built.write_text(run)
    path = f"{build}/classes:{build}/dependency/*"
    return lambda name, *arguments: numbers("java", "-classpath", path, name, *arguments)


@pytest.fixture(scope="session")
def node():
    """Runs a script of clients/node: the numbers that it printed."""
    lock = "package-lock.json"
    with alone("e2e-node") as build:
        installed = build / "node_modules" / lock
        shutil.copytree(CLIENTS / "node", build, dirs_exist_ok=True)
        if not installed.exists() or installed.read_bytes() != (build / lock).read_bytes():
            command = ["npm", "ci", "--loglevel=error", "--prefer-offline", "--ignore-scripts"]
            subprocess.run(command, cwd=build, check=True)
            shutil.copyfile(build / lock, installed)
    return lambda name, *arguments: numbers("node", build / name, *arguments)


def numbers(*command):
    """Returns the numbers that a client printed."""
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [int(line) for line in done.stdout.splitlines()]


@pytest.fixture
def service(snowmint, start_service):
    """One with a segment, snowflakes, and a tag that CosId's clients know."""
    for tag in ("orders", "shop.orders"):
        store = "sqlite:ids.db?create=true"
        snowmint.run("segment", "create", store, tag, "--step", 1_000).must_succeed()
    sources = ["--source", "ids=snowflake+sqlite:ids.db", "--fronts-cosid", "true"]
    for tag in ("orders", "shop.orders"):
        sources += ["--source", f"{tag}=segment+sqlite:ids.db?tag={tag}"]
    return start_service(*sources)


# INCR, INCRBY 10, a pipeline of 100, MULTI with EXPIRE, GET.
COUNTED = [1, 11, *range(12, 112), 112, 112]


@pytest.mark.parametrize("name", ["node-redis.mjs", "ioredis.mjs"])
def test_clients_of_redis_in_javascript(service, node, name):
    *counted, flake = node(name, *service.resp)
    assert counted == COUNTED
    assert flake > 2**53 and service.mint("ids").ids[0] > flake


@pytest.mark.parametrize("name", ["JedisClient", "LettuceClient"])
def test_clients_of_redis_in_java(service, java, name):
    *counted, flake = java(name, *service.resp)
    assert counted == COUNTED
    assert service.mint("ids").ids[0] > flake


def test_springs_atomic_long(service, java):
    *counted, flake = java("SpringClient", *service.resp)
    assert counted == [1, 2, 12, 12]
    assert service.mint("ids").ids[0] > flake


def test_cosids_segments(service, java):
    host, port = service.http
    command = ("CosIdClient", f"http://{host}:{port}", "shop", "orders")
    ids = java(*command, 100, 5_000)
    plain, chained = ids[:5_000], ids[5_000:]
    # With a step of 1 it asks for each number.
    single = java(*command, 1, 10)
    assert plain == list(range(1, 5_001))
    assert_rising(chained)
    assert_disjoint(plain, chained, single, service.mint("shop.orders", count=1_000).ids)


def test_prometheus_reads_the_figures(service):
    service.mint("orders", count=7)
    service.ask("POST", "/v1/ids/none").must_refuse(404, "unknown_tag")
    text = service.ask_as_operator("GET", "/metrics").body.decode()
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert all(family.documentation for family in families.values())
    assert {family.type for family in families.values()} == {"counter", "gauge"}
    samples = [sample for family in families.values() for sample in family.samples]
    values = {(sample.name, *sample.labels.values()): sample.value for sample in samples}
    assert len(values) == len(samples)
    assert values["snowmint_ids_total", "orders"] == 7
    assert values["snowmint_errors_total", "unknown_tag"] == 1
    assert values["snowmint_http_answers_total", "4xx"] == 1
