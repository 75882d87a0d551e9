"""The files that the pages on the ID service show: shell scripts run line by line as they stand, and
`snowmint serve` reads settings."""

import json
import re

import pytest
from driver import REPOSITORY
from shells import Shell, network, typed

EXAMPLES = REPOSITORY / "examples/service"
# The settings of the guide to a cluster: test_cluster_guide.py.
SETTINGS = sorted(EXAMPLES.glob("*.toml"))
SCRIPTS = sorted(EXAMPLES.glob("*.sh"))
PROTOCOLS = {"HTTP": 8064, "RESP": 6064, "ADMIN": 8065}
# systemd and users are the machine's, and no test's.
STAND_INS = "systemctl() { :; }; journalctl() { :; }; useradd() { :; }; chgrp() { :; }\n"


class Place:
    """The place in which a script runs: addresses of loopback and a directory that nobody else has."""

    def __init__(self, snowmint, request):
        self.snowmint, self.request, self.network = snowmint, request, network()
        self.listening = {
            f"SNOWMINT_SERVE_{name}_LISTEN": f"{self.network}1:{port}" for name, port in PROTOCOLS.items()
        }
        for directory in ("etc/systemd/system", "usr/local/bin", "var/lib/snowmint"):
            (snowmint.directory / directory).mkdir(parents=True)

    def here(self, line):
        line = line.replace("127.0.0.1", f"{self.network}1")
        line = line.replace("redis-cli ", f"redis-cli -h {self.network}1 ")
        line = re.sub(r"/(?=etc/|usr/local/|var/lib/)", f"{self.snowmint.directory}/", line)
        line = line.replace("packages/service/", f"{REPOSITORY}/packages/service/")
        line = line.replace("target/release/snowmint", str(self.snowmint.binary))
        if "postgres://ids@host/ids" in line:
            database = self.request.getfixturevalue("postgres")
            line = re.sub(r"postgres://ids@host/ids\??", f"{database}&", line)
            line = re.sub(r"(postgres://[^\s']*)", r"'\1'", line.replace("'", "")).replace("&'", "'")
        return line


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.stem)
def test_the_lines_of_the_pages(snowmint, request, file):
    """Behind ` # ` stands what a line prints, with … for what differs each time."""
    place = Place(snowmint, request)
    (snowmint.directory / "serve.toml").write_text(place.here((EXAMPLES / "first.toml").read_text()))
    with Shell(snowmint, place.listening) as shell:
        shell.run(STAND_INS)
        for command, _, expected in typed(file):
            printed = shell.run(place.here(command))
            pattern = ".*".join(map(re.escape, place.here(expected).split("…")))
            assert re.search(pattern, printed, re.DOTALL), (command, printed)


@pytest.mark.parametrize("file", SETTINGS, ids=lambda file: file.stem)
def test_the_service_takes_the_settings_of_the_pages(snowmint, file):
    snowmint.run("serve", "--config", file, "--print-config").must_succeed()


def test_the_messages_of_the_protocol(snowmint, start_service):
    """The requests as the page has them, but for what an answer gave, are answered by the page's keys."""

    def message(name):
        return json.loads((EXAMPLES / f"protocol/{name}.json").read_text())

    def ask(path, request, answer):
        headers = {"Content-Type": "application/json"}
        told = service.ask("POST", f"/v1/{path}", json.dumps(request), headers).json
        assert told.keys() == message(answer).keys(), told
        return told

    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    service = start_service("--leases-store", "sqlite:ids.db")
    acquired = ask("workers/acquire", message("acquire"), "acquired")
    lease = {key: acquired[key] for key in ("worker_id", "epoch", "floor_ms", "reserved_ms")}
    ask("workers/renew", message("renew") | lease, "acquired")
    ask("segments/orders/allocate", message("allocate"), "allocated")
    assert ask("segments/invoices/allocate", message("allocate"), "refused")["code"] == "unknown_tag"
