"""A Prometheus with the shipped configuration and rules, which reads services of a test."""

import http.client
import json
import re
import shutil
import signal
import subprocess
from urllib.parse import urlencode

from driver import HANG_S, REPOSITORY
from ports import free_ports
from services import eventually

SHIPPED = REPOSITORY / "packages/service/monitoring"
# Values for a dashboard's expressions in place of Grafana's variables.
VARIABLES = {"$__rate_interval": "1m", "$instance": ".*", "$source": ".*"}


def program(name):
    """Returns the path of a program that scripts/setup takes out of Debian's package."""
    path = REPOSITORY / "target/tools/bin" / name
    found = str(path) if path.exists() else shutil.which(name)
    assert found, f"{name} is missing: run scripts/setup"
    return found


def promtool(*arguments):
    """Returns promtool's words about something that has to be in order."""
    command = [program("promtool"), *map(str, arguments)]
    done = subprocess.run(command, cwd=SHIPPED, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def filled_in(expression):
    """An expression of a dashboard as Prometheus takes it."""
    for variable, value in VARIABLES.items():
        expression = expression.replace(variable, value)
    assert "$" not in expression, expression
    return expression


class Prometheus:
    """Reads the services each second; ends with the block."""

    def __init__(self, directory, services, authority=None):
        (port,) = free_ports(1)
        self.address = ("127.0.0.1", port)
        directory.mkdir()
        for name in ("prometheus.yml", "alerts.yml"):
            shutil.copy(SHIPPED / name, directory / name)
        path = directory / "prometheus.yml"
        path.write_text(here(path.read_text(), services, authority))
        promtool("check", "config", path)
        command = [program("prometheus"), f"--config.file={path}", "--log.level=error"]
        command += [f"--storage.tsdb.path={directory}/data"]
        command += [f"--web.listen-address=127.0.0.1:{port}"]
        self.process = subprocess.Popen(command)
        eventually(self._is_ready)

    def _is_ready(self):
        assert self.process.poll() is None, "Prometheus ended"
        try:
            return self._get("/-/ready")[0] == 200
        except ConnectionRefusedError:
            return False

    def _get(self, path):
        connection = http.client.HTTPConnection(*self.address, timeout=HANG_S)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def _data(self, path):
        status, body = self._get(f"/api/v1/{path}")
        assert status == 200, body
        return json.loads(body)["data"]

    def query(self, expression):
        """The labels and the value of each series that an expression gives."""
        found = self._data("query?" + urlencode({"query": expression}))
        assert found["resultType"] == "vector", found
        return [(one["metric"], float(one["value"][1])) for one in found["result"]]

    def alerts(self):
        """Those that fire, or will unless it is over before, each with its source."""
        alerts = [alert["labels"] for alert in self._data("alerts")["alerts"]]
        return {(alert["alertname"], alert.get("source")) for alert in alerts}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(HANG_S)


def here(text, services, authority):
    """The shipped configuration with the services of a test, looked at each second."""
    targets = json.dumps([f"{host}:{port}" for host, port in (one.admin for one in services)])
    text, count = re.subn(r"targets: \[.*\]", f"targets: {targets}", text)
    assert count == 1, text
    tls = f"\n    scheme: https\n    tls_config: {{ ca_file: {authority} }}"
    secured = tls if authority else ""
    text, count = re.subn("scrape_interval: 15s", f"scrape_interval: 1s{secured}", text)
    assert count == 1, text
    return f"global: {{ evaluation_interval: 1s }}\n{text}"
