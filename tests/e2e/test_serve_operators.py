"""The features of `snowmint serve` for operators: addresses of their own, another configuration while it
runs, a log for collectors, and words for a supervisor."""

import json
import os
import re
import signal
import socket
import subprocess
import tomllib
from concurrent.futures import ThreadPoolExecutor

import pytest

from driver import HANG_S, REPOSITORY, assert_disjoint
from services import eventually, metric, read_all

ORDERS = "orders = 'segment+sqlite:ids.db?tag=orders&step=10'\n"
BILLS = "bills = 'segment+sqlite:ids.db?tag=bills'\n"


@pytest.fixture
def configured(snowmint, start_service):
    """Starts a service by a file, which `write` replaces."""
    for tag in ("orders", "bills"):
        snowmint.run("segment", "create", "sqlite:ids.db?create=true", tag).must_succeed()

    def start(text, *arguments, **more):
        (snowmint.directory / "serve.toml").write_text(text)
        return start_service("--config", "serve.toml", *arguments, **more)

    return start


def write(snowmint, text):
    (snowmint.directory / "serve.toml").write_text(text)


def reload(service):
    return service.ask_as_operator("POST", "/admin/reload")


def test_operators_have_addresses_of_their_own(configured):
    service = configured("[sources]\n" + ORDERS)
    service.ask("GET", "/metrics").must_refuse(404, "unsupported")
    service.ask("POST", "/admin/reload").must_refuse(404, "unsupported")
    for path in ("/metrics", "/healthz", "/readyz", "/v1/sources", "/admin/config"):
        assert service.ask_as_operator("GET", path).status == 200, path
        service.ask_as_operator("POST", path).must_refuse(405, "unsupported")
    service.ask_as_operator("GET", "/admin/reload").must_refuse(405, "unsupported")
    service.ask_as_operator("POST", "/v1/ids/orders").must_refuse(404, "unsupported")
    text = service.ask_as_operator("GET", "/admin/config").body.decode()
    assert "event_loops" in text and ORDERS.split("'")[1] in text


def test_no_page_of_the_web_asks_as_an_operator(configured):
    service = configured("[admin]\nhosts = ['ids.internal']\n[sources]\n" + ORDERS)
    own = f"127.0.0.1:{service.admin[1]}"
    allowed = ({"Host": own}, {"Host": "localhost"}, {"Host": "ids.internal:1"})
    for headers in (*allowed, {"Host": own, "Origin": f"http://{own}"}):
        assert service.ask_as_operator("POST", "/admin/reload", headers).status == 200, headers
    for headers in (
        {"Host": "evil.example"},
        {"Host": own, "Origin": "http://evil.example"},
        {"Host": own, "Origin": "null"},
    ):
        for method, path in (("GET", "/metrics"), ("POST", "/admin/reload")):
            answer = service.ask_as_operator(method, path, headers)
            answer.must_refuse(403, "store_denied")


def test_another_configuration_is_gone_by(configured, snowmint):
    service = configured("[sources]\n" + ORDERS)
    assert service.mint("orders", count=3).ids == [1, 2, 3]
    service.mint("bills").must_refuse(404, "unknown_tag")
    write(snowmint, "[limits]\ncount = 5\n[sources]\n" + ORDERS + BILLS)
    assert reload(service).json == {"reloaded": True}
    # Sources that were there go on where they were, and new ones are open.
    assert service.mint("orders").ids == [4]
    assert service.mint("bills").ids == [1]
    service.mint("orders", count=6).must_refuse(400, "count_out_of_range")
    write(snowmint, "[sources]\n" + BILLS)
    service.process.send_signal(signal.SIGHUP)
    eventually(lambda: service.mint("orders").status == 404)
    assert service.mint("bills", count=6).ids == [2, 3, 4, 5, 6, 7]
    assert service.stop() == 0
    assert "the configuration was read again" in service.said


@pytest.mark.parametrize(
    "text, code, words",
    [
        ("event_loops = 3\n[sources]\n" + ORDERS, "unsupported", "event_loops"),
        ("[http]\nlisten = ['127.0.0.1:1']\n[sources]\n" + ORDERS, None, None),
        ("[log]\nformat = 'json'\n[sources]\n" + ORDERS, "unsupported", "log.format"),
        ("[limits]\ncounts = 5\n[sources]\n" + ORDERS, "invalid_parameter", "line 2"),
        ("[limits]\ncount = 0\n[sources]\n" + ORDERS, "invalid_parameter", "limits.count"),
        ("[sources]\n" + BILLS + "none = 'segment+sqlite:ids.db?tag=none'\n", "unknown_tag", "none"),
        ("[sources]\nnone = 'segment+sqlite:none.db?tag=none'\n", "store_missing", "none"),
    ],
)
def test_a_configuration_that_cannot_be_followed_changes_nothing(configured, snowmint, text, code, words):
    service = configured("event_loops = 2\n[sources]\n" + ORDERS)
    write(snowmint, text)
    answer = reload(service)
    if code is None:
        # Its flag has the last word, and is the same.
        assert answer.status == 200
    else:
        assert answer.json["code"] == code and words in answer.json["detail"], answer
        assert "nothing was changed" in service.said
    assert service.mint("orders").ids == [1]
    service.mint("none").must_refuse(404, "unknown_tag")
    write(snowmint, "[sources]\n" + ORDERS)


def test_a_refusal_names_the_holder_of_a_worker_id(configured, snowmint):
    url = "snowflake:?worker_id=9&state=state"
    service = configured(f"[sources]\nids = '{url}'\n")
    write(snowmint, f"[sources]\nids = '{url}&reserve_ms=2000'\n")
    answer = reload(service).must_refuse(503, "worker_in_use")
    assert "sources.ids: this service holds its worker ID itself" in answer.json["detail"]
    write(snowmint, f"[sources]\nids = '{url}'\nother = '{url}'\n")
    answer = reload(service).must_refuse(503, "worker_in_use")
    assert "sources.other: " in answer.json["detail"] and "then reload again" in answer.json["detail"]
    assert service.mint("ids").status == 200


def test_an_unsafe_setting_is_for_who_reloads_to_mend(configured, snowmint):
    service = configured("[sources]\n" + ORDERS)
    (snowmint.directory / "tokens.toml").touch(0o666)
    os.chmod(snowmint.directory / "tokens.toml", 0o666)
    write(snowmint, "[tokens]\nfile = 'tokens.toml'\n[sources]\n" + ORDERS)
    answer = reload(service).must_refuse(400, "unsafe_setting")
    assert answer.json["title"] == "A setting is not safe."


def test_a_file_that_is_gone_changes_nothing(configured, snowmint):
    service = configured("[sources]\n" + ORDERS)
    (snowmint.directory / "serve.toml").unlink()
    reload(service).must_refuse(400, "invalid_parameter")
    assert service.mint("orders").ids == [1]


def test_nobody_notices_a_reload(configured, snowmint):
    """Requests while the configuration changes to and fro: none fails, no number twice."""
    texts = ["[sources]\n" + ORDERS + more for more in ("", BILLS)]
    service = configured(texts[0])

    def take(_):
        return [one for _ in range(200) for one in service.mint("orders", count=3).ids]

    with ThreadPoolExecutor(4) as pool:
        taken = pool.map(take, range(4))
        for at in range(20):
            write(snowmint, texts[at % 2])
            assert reload(service).status == 200
        assert_disjoint(*taken)


def test_leases_of_a_source_that_goes_are_given_up(configured, snowmint):
    flakes = "ids = 'snowflake+sqlite:ids.db?layout=twitter'\n"
    service = configured("[sources]\n" + ORDERS + flakes)
    assert service.mint("ids").status == 200
    write(snowmint, "[sources]\n" + ORDERS)
    assert reload(service).status == 200

    def held():
        listed = snowmint.run("worker", "list", "--json", "ids.db").must_succeed().output
        return [json.loads(line)["held"] for line in listed.splitlines()]

    eventually(lambda: held() == [False])
    assert metric(service, "snowmint_connections") == 1


def test_a_log_for_collectors(configured):
    service = configured("[log]\nformat = 'json'\n[sources]\n" + ORDERS)
    assert service.stop() == 0
    lines = [json.loads(line) for line in service.said.splitlines()]
    assert all({"timestamp", "level", "message"} <= line.keys() for line in lines), lines
    assert lines[-1]["message"] == "SIGTERM: stopping"


def test_a_supervisor_is_told(configured, snowmint):
    path = snowmint.directory / "notify.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.settimeout(60)
        supervisor.bind(str(path))
        told = lambda: supervisor.recv(4096).decode().splitlines()
        service = configured("[sources]\n" + ORDERS, environment={"NOTIFY_SOCKET": str(path)})
        assert told() == ["READY=1"]
        service.process.send_signal(signal.SIGHUP)
        reloading = told()
        assert reloading[0] == "RELOADING=1" and reloading[1].startswith("MONOTONIC_USEC=")
        assert told() == ["READY=1"]
        assert service.stop() == 0
        assert told() == ["STOPPING=1"]


PACKAGE = REPOSITORY / "packages/service"


def test_the_unit_is_one(configured, snowmint):
    configured("[sources]\n" + ORDERS)
    unit = (PACKAGE / "snowmint.service").read_text()
    command = next(line for line in unit.splitlines() if line.startswith("ExecStart="))
    binary, *arguments = command.removeprefix("ExecStart=").split()
    # The copy names the binary where it is here, not where it will be.
    copy = snowmint.directory / "snowmint.service"
    copy.write_text(unit.replace(f"={binary} ", f"={snowmint.binary} "))
    checked = snowmint.shell(f"systemd-analyze verify --man=no {copy}").must_succeed()
    assert not checked.errors, checked
    arguments[arguments.index("--config") + 1] = "serve.toml"
    snowmint.run(*arguments, "--print-config").must_succeed()


def test_the_container_begins_as_it_says(snowmint):
    lines = (PACKAGE / "Containerfile").read_text().splitlines()
    settings = dict(line.removeprefix("ENV ").split("=", 1) for line in lines if "ENV " in line)
    own = {name: value for name, value in settings.items() if name.startswith("SNOWMINT_")}
    assert len(own) == 4
    printed = snowmint.run("serve", "--print-config", environment=own).must_succeed().output
    assert 'listen = ["0.0.0.0:8064"]' in printed and 'format = "json"' in printed


def test_pages_mint_only_where_they_are_named(configured):
    http = "[http]\nget = true\norigins = ['https://shop.example']\n"
    service = configured(http + "[sources]\n" + ORDERS)
    ask = lambda origin: service.ask("POST", "/v1/ids/orders", headers={"Origin": origin})
    assert ask("https://shop.example").ids == [1]
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{service.http[1]}"):
        ask(origin).must_refuse(403, "store_denied")
    # A request that takes nothing is allowed; the browser shows its answer to nobody else.
    assert service.ask("GET", "/readyz", headers={"Origin": "https://evil.example"}).status == 200
    assert service.mint("orders").ids == [2]
    show = lambda site: service.ask("GET", "/v1/ids/orders", headers={"Sec-Fetch-Site": site})
    for site in ("cross-site", "same-site"):
        show(site).must_refuse(403, "store_denied")
    assert show("same-origin").ids == [3] and show("none").ids == [4]


def test_a_request_of_http_is_no_command_of_redis(configured):
    """A page of the web can send it, and its body could be commands."""
    service = configured("[sources]\n" + ORDERS)
    for first in ("POST / HTTP/1.1", "GET / HTTP/1.1"):
        with service.raw(service.resp) as page:
            lines = [first, "Host: x", "Origin: http://evil.example", "", "INCR orders", ""]
            page.sendall("\r\n".join(lines).encode())
            assert b":1" not in read_all(page)
    assert service.mint("orders").ids == [1]


@pytest.mark.parametrize("setting", ["tokens", "tls"])
def test_a_pipe_in_place_of_a_file_holds_up_nothing(configured, snowmint, setting):
    os.mkfifo(snowmint.directory / "pipe")
    service = configured("[sources]\n" + ORDERS)
    tables = {"tokens": "file = 'pipe'", "tls": "certificate = 'pipe'\nkey = 'pipe'"}
    write(snowmint, f"[{setting}]\n{tables[setting]}\n[sources]\n" + ORDERS)
    assert "no regular file" in reload(service).json["detail"]
    write(snowmint, "[sources]\n" + ORDERS)
    assert reload(service).status == 200
    assert service.stop() == 0


def test_it_stops_while_its_stores_are_silent(snowmint):
    """At the start it waits for its stores: not against a signal."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"segment+postgres://me@127.0.0.1:{silent.getsockname()[1]}/ids?tag=orders"
        arguments = ["--http-listen", "127.0.0.1:0", "--resp-listen", "", "--admin-listen", ""]
        command = [snowmint.binary, "serve", *arguments, "--source", f"orders={url}&wait_ms=600000"]
        process = subprocess.Popen(
            command, env=snowmint.environment, cwd=snowmint.directory, stderr=subprocess.PIPE
        )
        silent.accept()[0].close()
        process.terminate()
        assert process.wait(HANG_S) == 0
        assert b"stopping before the stores are open" in process.stderr.read()
        process.stderr.close()


def listed(page):
    """The rows of a page's tables whose first cell is a name of the program, as lists of cells."""
    text = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z_.]+)(?:\{[a-z,]+\})?`(?: \(fixed\))? \| (.*) \|$", text, re.MULTILINE)
    return [(name, *cells.split(" | ")) for name, cells in rows]


def test_the_page_on_settings_has_each_with_its_default_and_help(snowmint):
    printed = snowmint.run("serve", "--print-config").must_succeed().output
    settings = tomllib.loads(printed.split("[sources]")[0])
    sections = {key: value for key, value in settings.items() if isinstance(value, dict)}
    defaults = {key: value for key, value in settings.items() if key not in sections}
    defaults |= {f"{of}.{key}": value for of, keys in sections.items() for key, value in keys.items()}
    rows = listed("service/settings.md")
    assert [key for key, _, _ in rows] == list(defaults)
    helps = re.findall(r"^# (.*)\n\w+ =", printed.split("[sources]")[0], re.MULTILINE)
    assert [text for _, _, text in rows] == helps
    # Those that are of the machine are told in words.
    machine = ("event_loops", "leases.store")
    told = {key: json.loads(text.strip("`")) for key, text, _ in rows if key not in machine}
    assert told == {key: value for key, value in defaults.items() if key not in machine}


def test_the_page_on_metrics_has_every_metric(configured):
    service = configured("[leases]\nstore = 'sqlite:ids.db'\n[sources]\n" + ORDERS)
    text = service.ask_as_operator("GET", "/metrics").body.decode()
    answered = set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))
    tls = {"snowmint_tls_certificate_expires_timestamp_seconds", "snowmint_tls_handshakes_failed_total"}
    assert {name for name, *_ in listed("reference/metrics.md")} == answered | tls
