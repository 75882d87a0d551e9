"""`snowmint serve` as the service of docs/reference/protocol.md: leases and ranges over HTTP."""

import json
import secrets
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from driver import INPUT, rounds
from services import Service

REALM = "zero:1,time:41,datacenter:5,worker:5,sequence:12@1288834974657/1"
STORE = ("--leases-store", "sqlite:ids.db")


@pytest.fixture
def serve(snowmint, start_service):
    """Starts services over a database with tags; they end with the test."""
    for tag, store in (("orders", "sqlite:ids.db?create=true"), ("shop/orders", "ids.db")):
        snowmint.run("segment", "create", store, tag).must_succeed()
    return lambda *arguments: start_service(*(arguments or STORE))


def post(service, path, body, **headers):
    headers = {"Content-Type": "application/json", **headers}
    return service.ask("POST", path, json.dumps(body), headers)


class Client:
    """One that leases a worker ID."""

    def __init__(self, service, **wishes):
        self.service = service
        self.request = {
            "realm": REALM,
            "max_worker_id": 1023,
            "owner": f"test {secrets.token_hex(8)}",
            "token": secrets.token_hex(16),
            "reserve_ms": 60_000,
            "max_ahead_ms": 1_000,
            **wishes,
        }
        self.lease = None

    def acquire(self):
        answer = post(self.service, "/v1/workers/acquire", self.request)
        if answer.status == 200:
            self.lease = answer.json
        return answer

    @property
    def held(self):
        names = ("worker_id", "epoch", "floor_ms", "reserved_ms")
        owned = {name: self.request[name] for name in ("realm", "owner", "token")}
        return {**owned, **{name: self.lease[name] for name in names}}

    def renew(self, **changes):
        wishes = {"next_token": secrets.token_hex(16), "reserve_ms": 60_000, **changes}
        answer = post(self.service, "/v1/workers/renew", {**self.held, **wishes})
        if answer.status == 200:
            self.lease = answer.json
            self.request["token"] = wishes["next_token"]
        return answer

    def release(self):
        return post(self.service, "/v1/workers/release", self.held)


def must_refuse(answer, status, code):
    """An error in the protocol's own form."""
    body = answer.json
    assert (answer.status, body["code"]) == (status, code), answer
    assert body["message"] and int(body["now_ms"]) > 0, answer
    assert answer.headers["content-type"] == "application/json", answer
    assert answer.headers["cache-control"] == "no-store", answer
    return answer


def test_a_lease_from_its_beginning_to_its_end(serve):
    service = serve()
    client = Client(service)
    first = client.acquire().json
    assert first["worker_id"] <= 1023 and first["epoch"] == "1"
    assert int(first["floor_ms"]) < int(first["reserved_ms"]) == int(first["floor_ms"]) + 60_000
    before = client.held
    overdrawn = {**before, "floor_ms": before["reserved_ms"], "next_token": secrets.token_hex(16)}
    refused = post(service, "/v1/workers/renew", {**overdrawn, "reserve_ms": 1_000})
    must_refuse(refused, 400, "invalid_parameter")
    renewed = client.renew().json
    assert renewed["worker_id"] == first["worker_id"] and renewed["epoch"] == first["epoch"]
    assert int(renewed["reserved_ms"]) >= int(first["reserved_ms"])
    stale = {**before, "next_token": secrets.token_hex(16), "reserve_ms": 1_000}
    must_refuse(post(service, "/v1/workers/renew", stale), 409, "lease_lost")
    assert list(client.release().json) == ["now_ms"]
    must_refuse(client.renew(), 409, "lease_lost")
    assert client.release().status == 200


def test_nobody_shares_a_worker_id(serve):
    service = serve()
    clients = [Client(service, max_worker_id=7) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(Client.acquire, clients))
    assert {answer.json["worker_id"] for answer in answers} == set(range(8))
    refused = must_refuse(Client(service, max_worker_id=7).acquire(), 503, "workers_exhausted")
    assert refused.json["retry_ms"] > 0
    clients[3].release()
    freed = clients[3].lease
    again = Client(service, max_worker_id=7, max_ahead_ms=100_000, reserve_ms=200_000)
    assert again.acquire().json["worker_id"] == freed["worker_id"]
    assert int(again.lease["floor_ms"]) >= int(freed["reserved_ms"])


def test_intervals_and_ranges_are_disjoint_over_kills(serve):
    intervals, ranges = [], []
    for _ in range(rounds(3)):
        service = serve()
        for _ in range(5):
            client = Client(service, max_worker_id=0, reserve_ms=1, max_ahead_ms=3_600_000)
            lease = client.acquire()
            if lease.status == 200:
                client.release()
                intervals.append((int(lease.json["floor_ms"]), int(lease.json["reserved_ms"])))
            given = post(service, "/v1/segments/orders/allocate", {"count": "10"}).json
            ranges.append((int(given["start"]), int(given["end"])))
        service.kill()
    assert len(ranges) == 15 and intervals
    for spans in (intervals, ranges):
        assert all(before[1] <= after[0] for before, after in zip(spans, spans[1:])), spans


def test_ranges_of_tags(serve):
    service = serve()
    given = post(service, "/v1/segments/orders/allocate", {"count": "5"}).json
    assert int(given.pop("now_ms")) > 0
    assert given.pop("incarnation").startswith("SQLite ")
    assert len(given.pop("key_space")) == 32
    assert given == {"start": "1", "end": "6", "stride": "1", "step": "1000"}
    assert post(service, "/v1/segments/orders/allocate", {}).json["end"] == "1006"
    for path in ("shop/orders", "shop%2Forders"):
        assert post(service, f"/v1/segments/{path}/allocate", {"count": "1"}).status == 200
    for tag, count, status, code in [
        ("none", "1", 404, "unknown_tag"),
        ("a%20b", "1", 400, "invalid_tag"),
        ("orders", "0", 400, "invalid_step"),
        ("orders", 5, 400, "invalid_parameter"),
        ("orders", "-1", 400, "invalid_parameter"),
    ]:
        answer = post(service, f"/v1/segments/{tag}/allocate", {"count": count})
        must_refuse(answer, status, code)


def test_a_client_of_another_key_space_gets_nothing(serve):
    """The client would throw away what it got."""
    service = serve()
    own = post(service, "/v1/key-space", {}).json["key_space"]
    other = {"key_space": "0" * 32}
    refused = post(service, "/v1/segments/orders/allocate", {"count": "5", **other})
    must_refuse(refused, 409, "incarnation_changed")
    must_refuse(Client(service, **other).acquire(), 409, "incarnation_changed")
    given = post(service, "/v1/segments/orders/allocate", {"count": "5", "key_space": own})
    assert given.json["start"] == "1"
    assert Client(service, key_space=own).acquire().json["epoch"] == "1"
    unread = post(service, "/v1/segments/orders/allocate", {"key_space": "x"})
    must_refuse(unread, 400, "invalid_parameter")


def test_a_request_that_the_protocol_does_not_have_is_refused(serve):
    service = serve("--limits-body-bytes", 1_000, *STORE)
    path = "/v1/workers/acquire"
    for wishes in (
        {"reserve_ms": 0},
        {"reserve_ms": 90_000_001},
        {"realm": 7},
        {"owner": "x" * 256},
        {"token": "1"},
        {"max_worker_id": "7"},
        {"max_worker_id": 1_024},
        {"realm": REALM.replace("worker:5,sequence:12", "worker:4,sequence:13")},
        {"max_ahead_ms": -1},
        {"avoid": "a"},
    ):
        must_refuse(Client(service, **wishes).acquire(), 400, "invalid_parameter")
    headers = {"Content-Type": "text/plain"}
    body = json.dumps(Client(service).request)
    must_refuse(service.ask("POST", path, body, headers), 400, "invalid_parameter")
    headers = {"Content-Type": "application/json"}
    must_refuse(service.ask("POST", path, "[]", headers), 400, "invalid_parameter")
    must_refuse(service.ask("POST", path, "x" * 1_001, headers), 413, "invalid_parameter")
    refused = must_refuse(service.ask("GET", path), 405, "unsupported")
    assert refused.headers["allow"] == "POST"
    assert Client(service).acquire().status == 200


@pytest.mark.parametrize("realm", ["turns of orders", "", REALM.replace("zero", "constant")])
def test_a_realm_that_is_no_layouts_is_nobodys(serve, realm):
    """The store may have the turns of ordered tags: servers ask whoever has one, and show their token."""
    service = serve()
    client = Client(service, realm=realm, owner="http://evil 00")
    refused = must_refuse(client.acquire(), 409, "realm_mismatch")
    assert "the text of a layout" in refused.json["message"]
    client.lease = {"worker_id": 0, "epoch": "1", "floor_ms": "0", "reserved_ms": "1"}
    must_refuse(client.renew(), 409, "realm_mismatch")
    must_refuse(client.release(), 409, "realm_mismatch")


def test_pages_of_other_origins(serve, snowmint):
    wrong = snowmint.run("serve", "--http-origins", "shop.example")
    wrong.must_refuse(INPUT, saying="write it as https://shop.example")
    service = serve("--http-origins", "https://shop.example", *STORE)
    asked = {"Access-Control-Request-Method": "POST"}
    for origin, is_allowed in (("https://shop.example", True), ("https://evil.example", False)):
        for answer in (
            service.ask("OPTIONS", "/v1/workers/acquire", headers={"Origin": origin, **asked}),
            post(service, "/v1/workers/acquire", Client(service).request, Origin=origin),
            post(service, "/v1/workers/acquire", {}, Origin=origin),
        ):
            revealed = answer.headers.get("access-control-allow-origin")
            assert revealed == (origin if is_allowed else None), answer
    preflight = service.ask("OPTIONS", "/v1/workers/renew", headers={"Origin": "null", **asked})
    assert preflight.status == 204 and "POST" in preflight.headers["access-control-allow-methods"]


def test_a_store_that_is_locked_keeps_others_from_nothing(serve, snowmint):
    service = serve("--event-loops", 1, "--source", "fixed=snowflake:?worker_id=1", *STORE)
    with closing(sqlite3.connect(snowmint.directory / "ids.db", isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        with ThreadPoolExecutor(8) as pool:
            waiting = [pool.submit(Client(service).acquire) for _ in range(8)]
            for _ in range(20):
                assert len(service.mint("fixed").ids) == 1
            lock.execute("ROLLBACK")
            for one in waiting:
                answer = one.result()
                if answer.status != 200:
                    assert answer.status == 503 and "code" in answer.json, answer
    assert Client(service).acquire().status == 200


def test_nothing_is_leased_unless_a_store_is_set(serve, snowmint):
    service = serve("--source", "fixed=snowflake:?worker_id=1")
    must_refuse(Client(service).acquire(), 404, "unsupported")
    listen = ("--http-listen", "127.0.0.1:0", "--resp-listen", "", "--admin-listen", "")
    source = ("--source", "a=uuid:")
    done = snowmint.run("serve", *listen, *source, "--leases-store", "sqlite:none.db")
    assert "error[store_missing]: leases.store: " in done.must_refuse().errors
    # Without a word there is the default database.
    with Service(snowmint) as plain:
        worker = Client(plain).acquire().json["worker_id"]
        assert worker != plain.ask("GET", "/v1/sources").json["sources"][0]["stats"]["worker_id"]
