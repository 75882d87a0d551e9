"""The alerts and the dashboard that are shipped: by promtool, and by a Prometheus that reads
services whose store dies."""

import json
import re
import subprocess
from contextlib import ExitStack

import pytest
import yaml
from certificates import Authority
from driver import REPOSITORY, Server
from ports import free_ports
from prometheus import SHIPPED, Prometheus, filled_in, promtool
from services import RespClient, Service, eventually
from tables import leaf_alloc

ALERTS = [
    rule
    for group in yaml.safe_load((SHIPPED / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]
DASHBOARD = json.loads((SHIPPED / "dashboard.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
EXPRESSIONS = {
    f"{panel['title']} {target['refId']}": target["expr"]
    for panel in PANELS
    for target in panel["targets"]
}
# The one that Prometheus makes itself.
OF_PROMETHEUS = {"up"}
NAME = re.compile(r"\b(snowmint_\w+|up)\b")


def test_the_rules_are_some(snowmint):
    assert f"SUCCESS: {len(ALERTS)} rules found" in promtool("check", "rules", "alerts.yml")
    promtool("check", "config", "prometheus.yml")
    promtool("test", "rules", "alerts_test.yml")


def test_each_alert_is_seen_to_fire_and_not_to():
    tests = yaml.safe_load((SHIPPED / "alerts_test.yml").read_text())["tests"]
    tried = [one for test in tests for one in test["alert_rule_test"]]
    for fires in (True, False):
        names = {one["alertname"] for one in tried if bool(one.get("exp_alerts")) == fires}
        assert names == {alert["alert"] for alert in ALERTS}, fires


def test_the_page_on_monitoring_says_what_to_do_about_each_alert():
    page = (REPOSITORY / "docs/service/monitoring.md").read_text(encoding="utf-8")
    section = page.split("\n## Alerts\n")[1].split("\n## ")[0]
    told = re.findall(r"^\| `(Snowmint\w+)` \| (\w+) \| [^|]+ \| [^|]+ \|$", section, re.MULTILINE)
    act = {"critical": "now", "warning": "today"}
    assert sorted(told) == sorted((alert["alert"], act[alert["labels"]["severity"]]) for alert in ALERTS)


def test_the_dashboard_is_one(tmp_path):
    """As Grafana reads it, from version 10 on."""
    assert DASHBOARD["schemaVersion"] == 39 and DASHBOARD["uid"] and DASHBOARD["title"]
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)
    taken = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken and max(x for x, _ in cells) < 24, panel["title"]
        taken |= cells
    for panel in PANELS:
        assert panel["title"] and panel["description"] and panel["fieldConfig"]["defaults"]["unit"]
        for part in (panel, *panel["targets"]):
            assert part["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        letters = [target["refId"] for target in panel["targets"]]
        assert len(set(letters)) == len(letters) >= 1, panel["title"]
    variables = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    used = set(re.findall(r"\$\{?(\w+)", json.dumps(PANELS))) - {"__rate_interval"}
    assert used == variables
    # promtool reads expressions as those of rules.
    rules = [
        {"record": f"panel:{number}", "expr": filled_in(expression)}
        for number, expression in enumerate(EXPRESSIONS.values())
    ]
    path = tmp_path / "panels.yml"
    path.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))
    assert f"SUCCESS: {len(rules)} rules found" in promtool("check", "rules", path)


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path / "authority")


class Watched:
    """Two services by TLS on a PostgreSQL that can die, of which Prometheus knows."""

    def __init__(self, snowmint, database, authority, directory, stack):
        url = f"{database.url}&create=true"
        for tag in ("orders", "bills"):
            snowmint.run("segment", "create", url, tag).must_succeed()
        self.sql(database, leaf_alloc(step=10))
        certificate, key = authority.issue("server")
        sources = (
            f"ids=snowflake+{url}&reserve_ms=4000",
            f"orders=segment+{url}&tag=orders",
            f"bills=segment+{url}&tag=bills",
            f"old=segment+{database.url}&dialect=leaf&tag=orders&wait_ms=5000",
        )
        words = [word for source in sources for word in ("--source", source)]
        words += ["--tls-certificate", certificate, "--tls-key", key]
        words += ["--ordered-sources", "bills", "--ordered-store", url]
        words += ["--ordered-ca", authority.file, "--leases-store", database.url]
        self.services = []
        for port in free_ports(2):
            own = ("--ordered-address", f"https://127.0.0.1:{port}")
            address = f"127.0.0.1:{port}"
            service = Service(snowmint, *words, *own, tls=authority.context(), http=address)
            self.services.append(stack.enter_context(service))
        watch = Prometheus(directory / "prometheus", self.services, authority.file)
        self.prometheus = stack.enter_context(watch)

    @staticmethod
    def sql(database, statements):
        client = ["psql", "-X", "-q", "-d", database.url, "-c", statements]
        subprocess.run(client, check=True)

    def use(self):
        """Some of all that can be asked for."""
        for service in self.services:
            for source in ("ids", "orders", "bills", "none"):
                service.mint(source, count=300)
            with RespClient(service) as client:
                client.ask("INCR", "orders")

    def told(self):
        """The names of all metrics."""
        text = self.services[0].ask_as_operator("GET", "/metrics").body.decode()
        return set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))

    def empty(self):
        """The panels that show nothing."""
        self.use()
        found = {name: self.prometheus.query(filled_in(it)) for name, it in EXPRESSIONS.items()}
        return {name for name, series in found.items() if not series}


def test_alerts_fire_while_a_store_is_dead_and_end_afterwards(snowmint, authority, tmp_path):
    with Server("postgres") as database, ExitStack() as stack:
        watched = Watched(snowmint, database, authority, tmp_path, stack)
        prometheus = watched.prometheus
        expressions = [*EXPRESSIONS.values(), *(alert["expr"] for alert in ALERTS)]
        named = {name for expression in expressions for name in NAME.findall(expression)}
        # The store of leases is told of once it was asked.
        eventually(lambda: named - OF_PROMETHEUS <= watched.told())
        # All is in order: each panel shows something but the one of what is wrong.
        eventually(lambda: watched.empty() == {"What is wrong A"})
        turns = prometheus.query("snowmint_ordered_turn")
        assert sorted(value for _, value in turns) == [0, 1], turns
        eventually(lambda: not {name for name, _ in prometheus.alerts()} - USUAL)

        # Its tag goes back, and the store answers.
        service = watched.services[0]
        assert service.mint("old").ids == [1]
        watched.sql(database, "UPDATE leaf_alloc SET max_id = 1 WHERE biz_tag = 'orders'")
        eventually(lambda: service.mint("old", count=10).status != 200)
        eventually(lambda: ("SnowmintFenced", "old") in prometheus.alerts())
        assert ("SnowmintStoreDown", "old") not in prometheus.alerts()

        database.tell("end")
        dead = {("SnowmintStoreDown", "ids"), ("SnowmintRunwayEnds", "ids")}
        dead |= {("SnowmintLeaseNotRenewed", "ids"), ("SnowmintNotReady", "ids")}
        dead |= {("SnowmintTurnUnknown", "bills"), ("SnowmintLeasesStoreDown", None)}
        eventually(lambda: dead <= prometheus.alerts())
        codes = {labels["code"] for labels, _ in prometheus.query("snowmint_source_failure")}
        assert {"range_regressed", "store_unavailable"} <= codes, codes
        database.tell("start")
        eventually(lambda: not dead & prometheus.alerts())
        service.kill()
        eventually(lambda: ("SnowmintDown", None) in prometheus.alerts())


# Alerts that so small a use raises: a fifth of it is refused, ranges are of a thousand numbers, and
# a new lease ends in the time that a busy machine takes to renew it.
USUAL = {"SnowmintErrors", "SnowmintRunwayShort", "SnowmintLeaseNotRenewed"}
