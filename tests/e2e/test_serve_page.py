"""The parts of the page at `/` of an operators' address: the state, its events, what is done to
stores, and the page's own files."""

import http.client
import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from driver import HANG_S
from services import RespClient, eventually

STORE = "sqlite:ids.db"
ORDERS = "orders = 'segment+sqlite:ids.db?tag=orders&step=10'\n"
FLAKES = "flakes = 'snowflake+sqlite:ids.db?layout=twitter&reserve_ms=5000'\n"
LEASES = "[leases]\nstore = 'sqlite:ids.db'\n"
JSON = {"content-type": "application/json"}


@pytest.fixture
def configured(snowmint, start_service):
    """Starts a service by a file, which is replaced by writing another."""
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()

    def start(text):
        (snowmint.directory / "serve.toml").write_text(text)
        return start_service("--config", "serve.toml")

    return start


def state(service):
    return service.ask_as_operator("GET", "/admin/state").json


def source(state, name):
    return next(row for row in state["sources"] if row["name"] == name)


def post(service, path, **body):
    return service.ask("POST", path, json.dumps(body), JSON, address=service.admin)


class Events:
    """The events of a service, one after the other."""

    def __init__(self, service):
        self.connection = service.connect(service.admin)
        self.connection.request("GET", "/admin/events")
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200
        assert self.answer.headers["content-type"] == "text/event-stream"
        assert self.answer.headers["cache-control"] == "no-store"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def __iter__(self):
        name = None
        for line in self.answer:
            if line.startswith(b"event: "):
                name = line[7:].strip().decode()
            elif line.startswith(b"data: "):
                yield name, json.loads(line[6:])


def test_the_state_says_what_each_source_is_doing(configured):
    service = configured(LEASES + "[sources]\n" + ORDERS + FLAKES + "u = 'uuid:'\n")
    assert service.mint("orders", count=4).ids == [1, 2, 3, 4]
    eventually(lambda: source(state(service), "orders")["now"]["issued"] == "4")
    found = state(service)
    assert [row["name"] for row in found["sources"]] == ["flakes", "orders", "u"]
    assert (found["phase"], found["ready"]) == ("serving", True)
    assert re.fullmatch("[0-9a-f]{16}", found["instance"])
    orders = source(found, "orders")
    of = {"kind": "segment", "store": STORE, "tag": "orders", "ordered": False}
    assert orders["of"] == of
    assert orders["now"]["buckets"][0] == {"left": "6", "size": "10"}
    assert orders["now"]["step"] == "10" and orders["now"]["ready"] and orders["now"]["required"]
    flakes = source(found, "flakes")
    assert flakes["of"]["reserve_ms"] == 5000 and flakes["of"]["layout_ends_ms"] > found["at_ms"]
    worker = flakes["now"]["worker"]
    assert worker["reserved_until_ms"] > found["at_ms"] - 5000 and "clock_offset_ms" in worker
    [store] = found["stores"]
    assert store == {"url": STORE, "roles": ["sources", "leases"], "sources": 2, "up": True}
    assert (found["servers"], found["errors"], found.get("tokens")) == ([], [], None)


def test_a_store_that_is_down_is_said_to_be_and_no_password_is_shown(configured):
    url = "segment+postgres://me:secret@127.0.0.1:1/ids?tag=a&wait_ms=0"
    service = configured(f"[sources]\na = '{url}'\n" + ORDERS)
    found = state(service)
    assert not found["ready"]
    a = source(found, "a")
    assert not a["now"]["ready"] and a["now"]["why"]
    by_url = {store["url"]: store for store in found["stores"]}
    assert by_url["postgres://me:***@127.0.0.1:1/ids"]["up"] is False
    assert by_url[STORE]["up"] is True
    assert "secret" not in json.dumps(found)


def test_events_tell_what_is_another(configured, snowmint):
    service = configured("[sources]\n" + ORDERS + "u = 'uuid:'\n")
    with Events(service) as events:
        told = iter(events)
        name, first = next(told)
        assert name == "state" and source(first, "orders")["now"]["issued"] == "0"
        service.mint("orders", count=3)
        for name, data in told:
            assert name == "changes" and data["at_ms"] > first["at_ms"]
            if "sources" in data:
                break
        [row] = data["sources"]
        assert (row["name"], row["now"]["issued"]) == ("orders", "3") and "of" not in row
        assert "stores" not in data
        service.mint("none")
        errors = next(data["errors"] for _, data in told if "errors" in data)
        assert (errors[0]["code"], errors[0]["count"]) == ("unknown_tag", 1)
        (snowmint.directory / "serve.toml").write_text("[sources]\n" + ORDERS)
        assert service.ask_as_operator("POST", "/admin/reload").status == 200
        anew = next(data for name, data in told if name == "state")
        assert [row["name"] for row in anew["sources"]] == ["orders"]
        # They end with the service, which does not wait for them.
        assert service.stop() == 0
        assert all(name == "changes" for name, _ in told)


def test_as_many_look_as_may(configured):
    service = configured("[sources]\n" + ORDERS)
    looking = [Events(service) for _ in range(48)]
    refused = service.ask_as_operator("GET", "/admin/events").must_refuse(503, "overloaded")
    assert "/admin/state" in refused.json["detail"]
    looking.pop().connection.close()

    def is_in():
        connection = service.connect(service.admin)
        connection.request("GET", "/admin/events")
        status = connection.getresponse().status
        connection.close()
        return status == 200

    eventually(is_in)
    for events in looking:
        events.connection.close()


@pytest.mark.parametrize("sources", ["orders", "*"])
def test_tokens_and_who_uses_them(configured, snowmint, sources):
    made = snowmint.run(
        "token", "create", "--file", "tokens.toml", "--name", "shop", "--sources", sources
    ).must_succeed()
    token = made.output.strip()
    service = configured("[tokens]\nfile = 'tokens.toml'\n[sources]\n" + ORDERS)
    [row] = state(service)["tokens"]
    assert row["of"] == {"sources": [sources], "leases": False, "reads": False}
    assert row["now"] == {"uses": "0"}
    headers = {"Authorization": f"Bearer {token}"}
    assert service.ask("POST", "/v1/ids/orders", headers=headers).status == 200
    with RespClient(service) as client:
        client.ask("AUTH", token)
        client.ask("INCR", "orders")
    service.ask("POST", "/v1/ids/orders").must_refuse(401, "store_denied")

    def used():
        return state(service)["tokens"][0]["now"]

    eventually(lambda: used()["uses"] == "2")
    assert used()["clients"] == ["127.0.0.1"] and used()["last_ms"]
    # A reload counts on.
    assert service.ask_as_operator("POST", "/admin/reload").status == 200
    assert used()["uses"] == "2"
    text = service.ask_as_operator("GET", "/admin/state").body.decode()
    assert token not in text and "sha256" not in text
    assert state(service)["errors"][0]["code"] == "store_denied"


def test_ordered_sources_and_their_owners(configured):
    ordered = f"[ordered]\nsources = ['orders']\nstore = '{STORE}'\naddress = 'http://127.0.0.1:1'\n"
    service = configured(ordered + "[sources]\n" + ORDERS)
    eventually(lambda: "owner" in source(state(service), "orders")["now"])
    found = state(service)
    assert source(found, "orders")["of"]["ordered"]
    server = {"address": "http://127.0.0.1:1", "is_self": True, "sources": ["orders"]}
    assert found["servers"] == [server]
    assert found["stores"][0]["roles"] == ["sources", "turns"]


def test_tags_are_created_changed_and_raised(configured):
    service = configured(LEASES + "[sources]\n" + ORDERS)
    row = post(service, "/admin/tags/create", store=STORE, tag="bills", start="7", step="5").json
    assert (row["tag"], row["next"], row["step"]) == ("bills", "7", 5)
    post(service, "/admin/tags/create", store=STORE, tag="bills").must_refuse(409, "tag_exists")
    row = post(service, "/admin/tags/change", store=STORE, tag="bills", step="50").json
    assert (row["next"], row["step"]) == ("7", 50)
    assert post(service, "/admin/tags/raise", store=STORE, tag="bills", above="99").json["next"] == "100"
    # A number that is above stays.
    assert post(service, "/admin/tags/raise", store=STORE, tag="bills", above="5").json["next"] == "100"
    listed = service.ask_as_operator("GET", f"/admin/tags?store={STORE}").json["tags"]
    assert [row["tag"] for row in listed] == ["bills", "orders"]
    one = service.ask_as_operator("GET", f"/admin/tags?store={STORE}&tag=bills").json["tags"]
    assert one == listed[:1]
    assert service.ask_as_operator("GET", f"/admin/tags?store={STORE}&tag=none").json["tags"] == []
    for words in ("added the tag bills", "changed the tag bills", "raised the tag bills"):
        assert words in service.said


@pytest.mark.parametrize(
    "path, body, status, code",
    [
        ("create", {"store": "sqlite:other.db", "tag": "a"}, 400, "invalid_parameter"),
        ("create", {"store": STORE}, 400, "invalid_parameter"),
        ("create", {"store": STORE, "tag": "a b"}, 400, "invalid_tag"),
        ("create", {"store": STORE, "tag": "a", "steps": "5"}, 400, "unknown_parameter"),
        ("create", {"store": STORE, "tag": "a", "step": 5}, 400, "invalid_parameter"),
        ("create", {"store": STORE, "tag": "a", "step": "0"}, 400, "invalid_step"),
        ("change", {"store": STORE, "tag": "orders"}, 400, "invalid_parameter"),
        ("change", {"store": STORE, "tag": "none", "step": "5"}, 404, "unknown_tag"),
        ("raise", {"store": STORE, "tag": "none", "above": "5"}, 404, "unknown_tag"),
        ("raise", {"store": STORE, "tag": "orders", "above": "-5"}, 400, "invalid_parameter"),
    ],
)
def test_a_wrong_request_is_refused_and_changes_nothing(configured, snowmint, path, body, status, code):
    service = configured(LEASES + "[sources]\n" + ORDERS)
    listed = lambda: service.ask_as_operator("GET", f"/admin/tags?store={STORE}").json
    before = listed()
    post(service, f"/admin/tags/{path}", **body).must_refuse(status, code)
    assert listed() == before
    assert not (snowmint.directory / "other.db").exists()


def test_a_lease_is_ended(configured):
    service = configured("[sources]\n" + FLAKES)
    [row] = service.ask_as_operator("GET", f"/admin/workers?store={STORE}").json["workers"]
    assert row["held"]
    meant = {"store": STORE, "realm": row["realm"]}
    done = post(service, "/admin/workers/evict", **meant, worker_id=row["worker_id"]).json
    assert (done["worker_id"], done["held"]) == (row["worker_id"], False)
    post(service, "/admin/workers/evict", **meant, worker_id=99).must_refuse(400, "invalid_parameter")
    # The holder lives: it takes another lease, and mints.
    eventually(lambda: service.mint("flakes").status == 200)


def test_no_page_of_the_web_does_any_of_it(configured):
    service = configured(LEASES + "[sources]\n" + ORDERS)
    own = f"127.0.0.1:{service.admin[1]}"
    body = json.dumps({"store": STORE, "tag": "evil"})
    ask = lambda headers, path="/admin/tags/create": service.ask(
        "POST", path, body, headers, address=service.admin
    )
    for headers in (
        {"Host": "evil.example", **JSON},
        {"Host": own, "Origin": "http://evil.example", **JSON},
        {"Host": own, "Origin": "null", **JSON},
    ):
        ask(headers).must_refuse(403, "store_denied")
        ask(headers, "/admin/workers/evict").must_refuse(403, "store_denied")
        for path in ("/", "/admin/state", "/admin/events", f"/admin/tags?store={STORE}"):
            answer = service.ask("GET", path, headers=headers, address=service.admin)
            answer.must_refuse(403, "store_denied")
    # A form could send these types without asking.
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        ask({"content-type": kind}).must_refuse(400, "invalid_parameter")
    ask({}).must_refuse(400, "invalid_parameter")
    tags = service.ask_as_operator("GET", f"/admin/tags?store={STORE}").json["tags"]
    assert [row["tag"] for row in tags] == ["orders"]
    for path in ("/", "/admin/state", "/admin/events", f"/admin/tags?store={STORE}"):
        service.ask("GET", path).must_refuse(404, "unsupported")


def test_operators_at_once_wait_for_each_other(configured):
    service = configured(LEASES + "[sources]\n" + ORDERS)
    create = lambda at: post(service, "/admin/tags/create", store=STORE, tag=f"tag-{at}").status
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(create, range(12))) == {200}


def test_it_goes_on_where_nobody_reads_its_log_any_more(snowmint):
    """Whatever it does that has a line in the log, which a collector that ends leaves unread."""
    command = [snowmint.binary, "serve", "--resp-listen", "", "--source", "u=uuid:"]
    command += ["--http-listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]
    process = subprocess.Popen(
        command, env=snowmint.environment, cwd=snowmint.directory, stderr=subprocess.PIPE
    )
    try:
        lines = iter(process.stderr.readline, b"")
        found = (re.search(rb"for operators on http://127.0.0.1:(\d+)", line) for line in lines)
        port = int(next(match for match in found if match)[1])
        process.stderr.close()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG_S)
        connection.request("POST", "/admin/reload")
        assert connection.getresponse().status == 200
        connection.close()
    finally:
        process.terminate()
        process.wait(HANG_S)


def test_the_page_and_its_files(configured):
    service = configured("[sources]\n" + ORDERS)
    page = service.ask_as_operator("GET", "/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy and "http" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    text = page.body.decode()
    named = re.findall(r'(?:src|href)="([^"]+\.(?:js|css|svg))"', text)
    assert {"page.js", "page.css"} < set(named)
    for path in named:
        answer = service.ask_as_operator("GET", f"/{path}")
        assert answer.status == 200 and answer.body, path
    for path in ("/none.js", "/page.js/", "/..%2fserve.toml", "/../serve.toml"):
        service.ask_as_operator("GET", path).must_refuse(404, "unsupported")
    assert service.ask_as_operator("HEAD", "/").status == 200
    decoded = service.ask_as_operator("GET", "/v1/decode/175928847299117063").json["readings"]
    assert {"twitter", "discord"} <= {reading["layout"] for reading in decoded}


def test_the_explorer_within_the_page(configured):
    service = configured("[sources]\n" + ORDERS)
    document = service.ask_as_operator("GET", "/explorer/")
    assert document.headers["content-type"] == "text/html; charset=utf-8"
    policy = document.headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy and "frame-ancestors 'self'" in policy
    named = re.findall(r'(?:src|href)="([^"/]+)"', document.body.decode())
    assert {"explorer.js", "explorer.css"} <= set(named)
    module = service.ask_as_operator("GET", "/explorer/snowmint.wasm")
    assert module.headers["content-type"] == "application/wasm"
    assert module.body.startswith(b"\0asm") and module.headers["cache-control"] == "no-cache"
    for path in named:
        answer = service.ask_as_operator("GET", f"/explorer/{path}")
        assert answer.status == 200 and answer.body, path
        kept = {"If-None-Match": answer.headers["etag"]}
        again = service.ask_as_operator("GET", f"/explorer/{path}", headers=kept)
        assert (again.status, again.body) == (304, b"")
    moved = service.ask_as_operator("GET", "/explorer")
    assert (moved.status, moved.headers["location"]) == (308, "explorer/"), moved
    for path in ("/explorer/service-worker.js", "/explorer/../serve.toml"):
        service.ask_as_operator("GET", path).must_refuse(404, "unsupported")
    assert service.ask("GET", "/explorer/").status == 404


def test_another_machine_changes_nothing_unless_an_operator_allows_it(snowmint, start_service):
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    source = ("--source", "orders=segment+sqlite:ids.db?tag=orders", "--allow-plaintext", "true")
    change = {"store": STORE, "tag": "bills"}
    service = start_service(*source, admin="0.0.0.0:0")
    refused = post(service, "/admin/tags/create", **change)
    assert refused.status == 403 and "admin.changes" in refused.json["detail"]
    assert state(service)["sources"]
    service.stop()
    service = start_service(*source, "--admin-changes", "true", admin="0.0.0.0:0")
    assert post(service, "/admin/tags/create", **change).status == 200


def test_a_clients_name_begins_no_line_of_the_log(configured):
    service = configured(LEASES + "[sources]\n" + ORDERS)
    realm = "zero:1,time:41,worker:10,sequence:12@0/1"
    lease = {"realm": realm, "owner": "shop\nforged \u202e", "token": "ab" * 16, "max_worker_id": 9}
    lease |= {"reserve_ms": 10_000, "max_ahead_ms": 1_000}
    answer = service.ask("POST", "/v1/workers/acquire", json.dumps(lease), JSON)
    assert answer.status == 200, answer
    worker = answer.json["worker_id"]
    assert post(service, "/admin/workers/evict", store=STORE, realm=realm, worker_id=worker).status == 200
    assert "\nforged" not in service.said and "\u202e" not in service.said
    assert "shop\\nforged" in service.said
