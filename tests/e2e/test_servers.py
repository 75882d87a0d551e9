"""scripts/servers: what it starts it ends, and nothing else."""

import os
import pathlib
import re
import socket
import subprocess
import tempfile

import pytest
from driver import REPOSITORY


@pytest.fixture
def place():
    """A directory that the servers' owner can enter, unlike pytest's."""
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o711)
        yield pathlib.Path(directory)


@pytest.fixture
def servers(place):
    """Runs scripts/servers in a place of its own."""

    def run(*arguments):
        return subprocess.run(
            [REPOSITORY / "scripts/servers", *arguments],
            env={**os.environ, "SNOWMINT_SERVERS": str(place / "servers")},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    yield run
    run("stop")


def started(*names):
    return "".join(f"started {name}\n" for name in names)


def test_each_is_started_once_and_ended_by_its_name(servers):
    assert servers("start").stdout == started("postgres", "pgbouncer", "mariadb", "redis", "etcd", "zookeeper")
    assert servers("start").stdout == ""
    found = dict(line.split("=", 1) for line in servers("env").stdout.splitlines())
    for name in ("SNOWMINT_TEST_POSTGRES", "SNOWMINT_TEST_PGBOUNCER"):
        command = ["psql", "-XAtd", found[name], "-c", "SELECT 7"]
        assert subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout == b"7\n"
    host, port = re.search(r"@(.*):(\d+)/", found["SNOWMINT_TEST_MARIADB"]).groups()
    command = ["mariadb", "--no-defaults", "-NBu", "root", "-h", host, "-P", port, "-e", "SELECT 7"]
    assert subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout == b"7\n"
    command = ["redis-cli", "-e", "-u", found["SNOWMINT_TEST_REDIS"], "ping"]
    assert subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout == b"PONG\n"
    command = ["etcdctl", "--endpoints", found["SNOWMINT_TEST_ETCD"].removeprefix("etcd://"), "get", "none"]
    subprocess.run(command, check=True)
    host, port = found["SNOWMINT_TEST_ZOOKEEPER"].removeprefix("zookeeper://").split(":")
    with socket.create_connection((host, int(port))) as client, client.makefile() as answer:
        client.sendall(b"srvr")
        assert answer.readline().startswith("Zookeeper version")
    servers("stop", "pgbouncer").check_returncode()
    assert "pgbouncer" in servers("env").stderr
    assert servers("start").stdout == started("pgbouncer")
    servers("stop").check_returncode()
    assert servers("env").returncode != 0


def test_a_process_that_has_got_its_number_is_left_alone(servers, place):
    with subprocess.Popen(["sleep", "600"]) as other:
        for name in ("postgres", "pgbouncer", "mariadb", "redis", "etcd", "zookeeper"):
            (place / "servers" / name).mkdir(parents=True)
            (place / "servers" / name / "pid").write_text(f"{other.pid}\n")
            (place / "servers" / name / "port").write_text("1\n")
        env = servers("env")
        stop = servers("stop")
        alive = other.poll() is None
        other.kill()
    assert env.returncode != 0 and "no postgres runs" in env.stderr, env
    assert stop.returncode == 0 and alive, stop


def test_a_name_that_none_has_is_refused(servers):
    assert "usage" in servers("stop", "postgress").stderr
