"""The way from one process on SQLite to three servers on PostgreSQL behind nginx: the lines of
core/server/CLUSTER.md, run as they stand but for the addresses."""

import os
import random
import re
import signal
import socket
import ssl
import subprocess
import tomllib
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit

import pytest
import yaml
from driver import HANG_S, REPOSITORY, STORE, Server, assert_disjoint
from loads import HttpLoad
from proxies import SHIPPED
from services import Answer, eventually

GUIDE = (REPOSITORY / "core/server/CLUSTER.md").read_text(encoding="utf-8")
SERVERS = ("10.0.0.7", "10.0.0.8", "10.0.0.9")


def blocks(number, language="sh"):
    """The blocks of a language in a step of the guide."""
    section = GUIDE.split(f"\n## {number}. ")[1].split("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


class Place:
    """The place to follow the guide: its machines are addresses of loopback that nobody else has, its
    files in one directory."""

    def __init__(self, snowmint, database):
        self.snowmint, self.root = snowmint, snowmint.directory
        self.database = f"127.0.0.1:{urlsplit(database.url).port}"
        chance = random.SystemRandom()
        self.network = f"127.{chance.randrange(1, 255)}.{chance.randrange(1, 255)}."

    def here(self, text, server=SERVERS[0]):
        """Lines of the guide, or of what it ships, as one of the servers has them."""
        text = text.replace("10.0.0.5", self.database).replace(SERVERS[0], server)
        text = text.replace("127.0.0.1:80", f"{self.network}1:80")
        text = text.replace("listen 8443", f"listen {self.network}6:8443")
        text = text.replace("10.0.0.", self.network)
        text = text.replace("/etc/snowmint", f"{self.root}/{server}")
        text = text.replace("/etc/nginx", f"{self.root}/nginx")
        return text.replace("nginx -", f"nginx -c {self.root}/nginx/nginx.conf -")

    def shell(self, stack):
        """A shell that lines are given one block after the other: what they print."""
        environment = self.snowmint.environment
        environment = {**environment, "PATH": f"{environment['PATH']}:/usr/sbin"}
        process = subprocess.Popen(
            ["bash", "-eu", "-o", "pipefail"],
            cwd=self.root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        stack.callback(end, process)
        # Programs that it started may hold its output when it has failed.
        process.stdin.write("trap 'echo failed' EXIT\n")

        def run(lines):
            process.stdin.write(f"{lines}\necho; echo done\n")
            process.stdin.flush()
            said = []
            while (line := process.stdout.readline()) != "done\n":
                assert line and line != "failed\n", f"failed: {lines}"
                said.append(line)
            return "".join(said)

        return run

    def nginx(self, stack):
        """As the package has it: it reads what is in conf.d."""
        root = self.root / "nginx"
        (root / "conf.d").mkdir(parents=True)
        temporary = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = "".join(f"{name}_temp_path {root}/{name};" for name in temporary)
        (root / "nginx.conf").write_text(
            f"user root; worker_processes 1; pid {root}/pid; error_log {root}/log; events {{}} "
            f"http {{ access_log off; {paths} include {root}/conf.d/*.conf; }}"
        )
        shipped = self.root / "packages/service/cluster/nginx.conf"
        shipped.parent.mkdir(parents=True)
        shipped.write_text(self.here((SHIPPED / "nginx.conf").read_text()))
        command = ["nginx", "-c", str(root / "nginx.conf"), "-g", "daemon off;"]
        process = stack.enter_context(subprocess.Popen(command))
        stack.callback(process.terminate)
        eventually((root / "pid").exists)

    def connect(self):
        """Returns the front that a load asks."""
        return Front(self)


def end(process):
    """A shell with all that it started."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(HANG_S)
    process.stdin.close()
    process.stdout.close()


class Front(HTTPSConnection):
    """nginx, by the name in its certificate, which stands in no DNS."""

    def __init__(self, place):
        self.trust = ssl.create_default_context(cafile=place.root / "nginx/tls/server.pem")
        super().__init__(f"{place.network}6", 8443, timeout=HANG_S)

    def connect(self):
        plain = socket.create_connection((self.host, self.port), HANG_S)
        self.sock = self.trust.wrap_socket(plain, server_hostname="ids.example")


@pytest.fixture
def place(snowmint):
    with Server("postgres") as database:
        yield Place(snowmint, database)


def ask(address, path):
    """IDs of the one process."""
    connection = HTTPConnection(*address, timeout=HANG_S)
    try:
        connection.request("POST", path)
        return Answer(connection.getresponse()).ids
    finally:
        connection.close()


def test_the_guide_from_one_process_to_three_servers(place, snowmint):
    with ExitStack() as stack:
        first = place.shell(stack)
        (settings,) = blocks(1, "toml")
        (place.root / "serve.toml").write_text(place.here(settings))
        begun = [first(place.here(lines)) for lines in blocks(1)]
        assert '{"ids":["1"]}' in begun[0], begun
        taken = {"ids": [], "orders": []}
        for source, count in (("ids", 5_000), ("orders", 2_500)):
            address = (f"{place.network}1", 8064)
            taken[source] += ask(address, f"/v1/ids/{source}?count={count}")

        (lines,) = blocks(2)
        assert " 0 refused" in first(place.here(lines))
        (cluster,) = blocks(3, "toml")
        (environment,) = blocks(3)
        for server in SERVERS:
            home = place.root / server
            home.mkdir()
            (home / "serve.toml").write_text(place.here(cluster, server))
            (home / "environment").write_text(place.here(environment, server))
        for lines in blocks(4):
            first(place.here(lines))
        moved = snowmint.run("id", "segment+sqlite:ids.db?tag=orders")
        moved.must_refuse(STORE, saying=["error[tag_moved]", f"{place.database}/ids"])

        shells = {SERVERS[0]: first, **{server: place.shell(stack) for server in SERVERS[1:]}}
        pids = {}
        for server, shell in shells.items():
            said = [shell(place.here(lines, server)) for lines in blocks(5)]
            assert '"ready":true' in said[0], said
            pids[server] = int(shell("echo $!"))
        place.nginx(stack)
        said = [first(place.here(lines)) for lines in blocks(6)]
        numbers = [int(one) for one in re.findall(r'"(\d+)"', said[-1])]
        assert len(numbers) == 3 and min(numbers) > max(taken["orders"]), said
        taken["orders"] += numbers

        load = HttpLoad(place)
        try:
            for server in SERVERS[:2]:
                load.until(500 + min(len(load.ids), len(load.orders)))
                os.kill(pids[server], signal.SIGKILL)
            load.until(500 + min(len(load.ids), len(load.orders)))
        finally:
            load.end()
        assert not load.refused and not load.broken, (load.refused, load.broken)
        assert_disjoint(taken["orders"], load.orders)
        assert_disjoint(taken["ids"], load.ids)


def test_shipped_files_agree_with_the_guide(snowmint):
    """The compose file and the unit, with the guide's settings."""
    settings = tomllib.loads(blocks(3, "toml")[0])
    composed = yaml.safe_load((SHIPPED / "compose.yaml").read_text())["services"]
    own = composed["a"]["environment"]
    sources = {name: url.replace("10.0.0.5", "database") for name, url in settings["sources"].items()}
    composed_sources = {
        name.removeprefix("SNOWMINT_SERVE_SOURCES_").lower(): url
        for name, url in own.items()
        if name.startswith("SNOWMINT_SERVE_SOURCES_")
    }
    assert composed_sources == sources
    assert int(own["SNOWMINT_SERVE_TIMEOUTS_DRAIN_MS"]) == settings["timeouts"]["drain_ms"]
    nginx = (SHIPPED / "nginx.conf").read_text()
    for server in SERVERS:
        assert f"server {server}:8064 " in nginx
    (directory,) = {path.rsplit("/", 1)[0] for path in re.findall(r"ssl_certificate\w* (.*);", nginx)}
    assert f"./tls:{directory}:ro" in composed["nginx"]["volumes"]
    (port,) = re.findall(r"^    listen (\d+) ssl;", nginx, re.MULTILINE)
    assert composed["nginx"]["ports"] == [f"{port}:{port}"]
    assert f"ids.example:{port}" in blocks(6)[-1]
    # Each line is one as systemd reads them, and the unit reads the two files of the guide.
    (environment,) = blocks(3)
    named = dict(line.split("=", 1) for line in environment.splitlines())
    unit = (SHIPPED.parent / "snowmint.service").read_text()
    assert "EnvironmentFile=-/etc/snowmint/environment" in unit
    assert "--config /etc/snowmint/serve.toml" in unit and "--config /etc/snowmint/serve.toml" in blocks(5)[0]
    (snowmint.directory / "serve.toml").write_text(blocks(3, "toml")[0])
    command = ("serve", "--config", "serve.toml", "--print-config")
    printed = snowmint.run(*command, environment=named).must_succeed().output
    assert named["SNOWMINT_SERVE_HTTP_LISTEN"] in printed and "drain_ms = 2000" in printed
