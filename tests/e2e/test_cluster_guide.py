"""The way from one process on SQLite to three servers on PostgreSQL behind nginx: the files that
docs/service/cluster.md shows, which run as they stand but for the addresses."""

import os
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
from shells import Shell, network, section

GUIDE = REPOSITORY / "examples/service/cluster"
SERVERS = ("10.0.0.7", "10.0.0.8", "10.0.0.9")


def shown(name):
    """A file of the guide."""
    return (GUIDE / name).read_text(encoding="utf-8")


def lines_of(step):
    """The lines for a shell in a step of the guide."""
    return section(GUIDE / "commands.sh", step)


class Place:
    """The place to follow the guide: its machines are addresses of loopback that nobody else has, its
    files in one directory."""

    def __init__(self, snowmint, database):
        self.snowmint, self.root = snowmint, snowmint.directory
        self.database = f"127.0.0.1:{urlsplit(database.url).port}"
        self.network = network()

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
        return stack.enter_context(Shell(self.snowmint)).run

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
        (place.root / "serve.toml").write_text(place.here(shown("one.toml")))
        begun = first(place.here(lines_of("one")))
        assert '{"ids":["1"]}' in begun, begun
        taken = {"ids": [], "orders": []}
        for source, count in (("ids", 5_000), ("orders", 2_500)):
            address = (f"{place.network}1", 8064)
            taken[source] += ask(address, f"/v1/ids/{source}?count={count}")

        assert " 0 refused" in first(place.here(lines_of("database")))
        for server in SERVERS:
            home = place.root / server
            home.mkdir()
            for name in ("serve.toml", "environment"):
                (home / name).write_text(place.here(shown(name), server))
        for step in ("move", "wait"):
            first(place.here(lines_of(step)))
        moved = snowmint.run("id", "segment+sqlite:ids.db?tag=orders")
        moved.must_refuse(STORE, saying=["error[tag_moved]", f"{place.database}/ids"])

        shells = {SERVERS[0]: first, **{server: place.shell(stack) for server in SERVERS[1:]}}
        pids = {}
        for server, shell in shells.items():
            said = shell(place.here(lines_of("servers"), server))
            assert '"ready":true' in said, said
            pids[server] = int(shell("echo $!"))
        place.nginx(stack)
        for step in ("certificate", "nginx"):
            first(place.here(lines_of(step)))
        said = first(place.here(lines_of("ask")))
        numbers = [int(one) for one in re.findall(r'"(\d+)"', said)]
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
    settings = tomllib.loads(shown("serve.toml"))
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
    assert f"ids.example:{port}" in lines_of("ask")
    # Each line is one as systemd reads them, and the unit reads the two files of the guide.
    named = dict(line.split("=", 1) for line in shown("environment").splitlines())
    unit = (SHIPPED.parent / "snowmint.service").read_text()
    assert "EnvironmentFile=-/etc/snowmint/environment" in unit
    assert "--config /etc/snowmint/serve.toml" in unit and "--config /etc/snowmint/serve.toml" in lines_of("servers")
    (snowmint.directory / "serve.toml").write_text(shown("serve.toml"))
    command = ("serve", "--config", "serve.toml", "--print-config")
    printed = snowmint.run(*command, environment=named).must_succeed().output
    assert named["SNOWMINT_SERVE_HTTP_LISTEN"] in printed and "drain_ms = 2000" in printed
