"""`snowmint serve` for the clients of Leaf's, tinyid's and CosId's servers, written as those are."""

import functools
import json
import re
import subprocess
import threading
import urllib.request

import pytest
from driver import HANG_S, REPOSITORY, assert_disjoint, assert_rising
from tables import leaf_alloc

# One transaction, as Leaf's own server has it.
TAKE = """
BEGIN; UPDATE leaf_alloc SET max_id = max_id + step WHERE biz_tag = 'orders';
SELECT max_id, step FROM leaf_alloc WHERE biz_tag = 'orders'; COMMIT
"""


class TinyIdClient:
    """tinyid's client: it fetches a segment by POST, and counts within it as its SegmentId does."""

    def __init__(self, service, biz_type):
        host, port = service.http
        query = f"token=0f673adf80504e2eaa552f5d791b644c&bizType={biz_type}"
        self.url = f"http://{host}:{port}/tinyid/id/nextSegmentIdSimple?{query}"
        self.segment = None

    def fetch(self):
        request = urllib.request.Request(self.url, data=b"")
        with urllib.request.urlopen(request, timeout=HANG_S) as answer:
            text = answer.read().decode()
        assert text, "no segment"
        current, _, last, delta, remainder = map(int, text.split(","))
        if current % delta != remainder:
            while current % delta != remainder:
                current += 1
            current -= delta
        self.segment = [current, last, delta]

    def next_id(self):
        while True:
            if self.segment is None:
                self.fetch()
            self.segment[0] += self.segment[2]
            if self.segment[0] <= self.segment[1]:
                return self.segment[0]
            self.segment = None


def leaf_id(service, path):
    """As Leaf's clients ask: anything but a 200 is an error, and the whole body is the number."""
    answer = service.ask("GET", path)
    assert answer.status == 200, answer
    assert (answer.headers["cache-control"], answer.headers["vary"]) == ("no-store", "*")
    return int(answer.body)


@pytest.fixture
def serve(snowmint, start_service):
    for tag in ("orders", "by-five"):
        more = ("--start", 3, "--stride", 5) if tag == "by-five" else ()
        store = "sqlite:ids.db?create=true"
        snowmint.run("segment", "create", store, tag, "--step", 100, *more).must_succeed()
    sources = ["--source", "ids=snowflake+sqlite:ids.db?layout=leaf"]
    for tag in ("orders", "by-five"):
        sources += ["--source", f"{tag}=segment+sqlite:ids.db?tag={tag}"]
    return functools.partial(start_service, *sources)


def test_they_are_served_where_that_is_said(serve):
    service = serve()
    for path in ("/api/segment/get/orders", "/decodeSnowflakeId", "/tinyid/id/nextId?bizType=orders"):
        service.ask("GET", path).must_refuse(404, "unsupported")
    service = serve("--fronts-leaf", "true")
    assert leaf_id(service, "/api/segment/get/orders") > 0
    service.ask("GET", "/tinyid/id/nextId?bizType=orders").must_refuse(404, "unsupported")
    service.ask("DELETE", "/api/segment/get/orders").must_refuse(405, "unsupported")


def test_clients_of_leaf(serve):
    service = serve("--fronts-leaf", "true", "--fronts-leaf-snowflakes", "ids")
    assert [leaf_id(service, "/api/segment/get/orders") for _ in range(250)] == list(range(1, 251))
    ids = [leaf_id(service, f"/api/snowflake/get/{key}") for key in ("test", "any") for _ in "123"]
    assert_rising(ids)
    # Nobody has this key: the one status that its clients know.
    service.ask("GET", "/api/segment/get/none").must_refuse(500, "unknown_tag")
    told = service.ask("GET", f"/decodeSnowflakeId?snowflakeId={ids[0]}").json
    assert told["workerId"] == str(ids[0] >> 12 & 1023)
    assert told["sequenceId"] == str(ids[0] & 4095)
    unix_ms = (ids[0] >> 22) + 1288834974657
    assert re.fullmatch(rf"{unix_ms}\(\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{{3}}\)", told["timestamp"])
    for wrong in ("x", "-1", ""):
        assert "errorMsg" in service.ask("GET", f"/decodeSnowflakeId?snowflakeId={wrong}").json


def test_without_a_source_for_all_a_key_names_its_own(serve):
    service = serve("--fronts-leaf", "true")
    assert leaf_id(service, "/api/snowflake/get/ids") > 0
    service.ask("GET", "/api/snowflake/get/test").must_refuse(500, "unknown_tag")


def test_clients_of_tinyid(serve):
    service = serve("--fronts-tinyid", "true", "--limits-count", "50")
    assert service.ask("GET", "/tinyid/id/nextId?bizType=orders&token=x").json == {
        "data": [1],
        "code": 200,
        "message": "",
    }
    assert service.ask("POST", "/tinyid/id/nextIdSimple?bizType=orders&batchSize=3").body == b"2,3,4"
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    ask = functools.partial(service.ask, "POST", headers=form)
    assert ask("/tinyid/id/nextIdSimple", "bizType=orders&batchSize=2&token=a+b").body == b"5,6"
    assert ask("/tinyid/id/nextIdSimple?bizType=orders", "token=x").body == b"7"
    twice = ask("/tinyid/id/nextId?bizType=orders", "bizType=orders").json
    assert (twice["code"], twice["message"]) == (6, "bizType stands twice")
    # A body of another type is not searched for parameters.
    assert service.ask("POST", "/tinyid/id/nextIdSimple?bizType=orders", "bizType=x").body == b"8"
    # As many as there may be.
    assert len(service.ask("GET", "/tinyid/id/nextId?bizType=orders&batchSize=999").json["data"]) == 50
    segment = service.ask("GET", "/tinyid/id/nextSegmentId?bizType=orders").json["data"]
    assert segment["currentId"] == 58 and segment["delta"] == 1
    first, second = (TinyIdClient(service, "orders") for _ in range(2))
    numbers = [[client.next_id() for _ in range(450)] for client in (first, second)]
    simple = [int(service.ask("GET", "/tinyid/id/nextIdSimple?bizType=orders").body) for _ in "12"]
    assert_disjoint(*numbers, simple, range(1, segment["maxId"] + 1))
    strided = TinyIdClient(service, "by-five")
    assert [strided.next_id() for _ in range(250)] == list(range(3, 3 + 250 * 5, 5))


def test_tinyid_clients_hear_of_errors_in_tinyids_form(serve):
    service = serve("--fronts-tinyid", "true")
    wrong = ("bizType=none", "", "bizType=orders&batchSize=0", "bizType=orders&batchSize=many")
    for query in wrong:
        answer = service.ask("GET", f"/tinyid/id/nextId?{query}")
        assert (answer.status, answer.json["code"], answer.json["data"]) == (200, 6, None), answer
        assert answer.json["message"]
        simple = service.ask("GET", f"/tinyid/id/nextIdSimple?{query}")
        assert (simple.status, simple.body) == (200, b""), simple
    assert service.ask("GET", "/tinyid/id/nextSegmentIdSimple?bizType=ids").body == b""


def test_clients_of_cosid(snowmint, serve):
    """Its own segments mint in test_serve_clients.py."""
    for tag in ("shop.orders", "shop.by-five"):
        more = ("--stride", 5) if tag == "shop.by-five" else ()
        snowmint.run("segment", "create", "ids.db", tag, "--step", 100, *more).must_succeed()
    sources = ["--source", "__share__=snowflake+sqlite:ids.db?layout=leaf"]
    for tag in ("shop.orders", "shop.by-five"):
        sources += ["--source", f"{tag}=segment+sqlite:ids.db?tag={tag}"]
    path = "/segments/shop/orders?step="
    serve(*sources).ask("PATCH", f"{path}100").must_refuse(404, "unsupported")
    service = serve(*sources, "--fronts-cosid", "true", "--limits-range-count", "1000")
    made = service.ask("POST", "/segments/distributor/shop/orders?offset=0&step=100")
    assert (made.status, made.body) == (200, b"")
    first = service.ask("PATCH", f"{path}100")
    # The whole body is the number.
    assert (first.status, first.body, first.headers["content-type"]) == (200, b"100", "application/json")
    assert (first.headers["cache-control"], first.headers["vary"]) == ("no-store", "*")
    assert service.ask("PATCH", f"{path}1000").body == b"1100"
    assert service.mint("shop.orders").ids == [1101]
    ids = [int(service.ask("GET", ask).body) for ask in ("/ids", "/ids/ids", "/ids/shop.orders")]
    assert ids[0] > 2**53 and ids[1] > 2**53 and ids[2] == 1102
    for step in ("0", "1001", "-1", "x", "", "99999999999999999999"):
        service.ask("PATCH", f"{path}{step}").must_refuse(400, "invalid_parameter")
    service.ask("PATCH", "/segments/shop/orders").must_refuse(400, "invalid_parameter")
    service.ask("PATCH", "/segments/shop/none?step=1").must_refuse(404, "unknown_tag")
    made = service.ask("POST", "/segments/distributor/shop/none?offset=0&step=1")
    made.must_refuse(404, "unknown_tag")
    # Its numbers do not follow each other, as its clients take them to.
    service.ask("PATCH", "/segments/shop/by-five?step=2").must_refuse(400, "unsupported")
    service.ask("HEAD", "/ids")
    assert service.ask("POST", "/ids").must_refuse(405, "unsupported").headers["allow"] == "GET"
    service.ask("POST", "/machines/shop?machineBit=10").must_refuse(404, "unsupported")


@pytest.mark.parametrize("name", ["cosid", "leaf", "tinyid"])
def test_the_settings_of_the_guides(snowmint, name):
    file = REPOSITORY / f"examples/service/{name}.toml"
    printed = snowmint.run("serve", "--config", file, "--print-config").must_succeed().output
    for line in file.read_text(encoding="utf-8").split("[sources]\n")[1].splitlines():
        assert line.split(" = ")[1] in printed


def guide():
    """The guide's configuration of Leaf's move."""
    return (REPOSITORY / "examples/service/leaf.toml").read_text(encoding="utf-8")


def test_leaf_moves_by_the_guide_while_its_own_servers_run(
    start_service, mariadb, zookeeper_server, tmp_path
):
    host, port, name = re.search(r"@(.*):(\d+)/(\w+)", mariadb).groups()
    client = ["mariadb", "--no-defaults", "-N", "-u", "root", "-h", host, "-P", port, name, "-e"]
    subprocess.run([*client, leaf_alloc(step=100)], check=True)
    taken, is_over = [], threading.Event()

    def old_server():
        while not is_over.is_set():
            told = subprocess.run([*client, TAKE], check=True, capture_output=True, text=True).stdout
            last, step = map(int, told.split())
            taken.extend(range(last - step, last))

    lines = guide().replace("mysql://ids@db/leaf?", f"{mariadb}&")
    lines = lines.replace("zookeeper://zk:2181", zookeeper_server).replace("0.0.0.0:8080", "127.0.0.1:0")
    config = tmp_path / "serve.toml"
    config.write_text(lines)
    # The addresses are said by flags as well, which have the last word.
    services = [start_service("--config", config)]
    moved = f"snowflakes={json.loads(re.search('^snowflakes = (.*)$', lines, re.M)[1])}"
    moved = moved.replace("10.0.0.7", "10.0.0.8")
    services.append(start_service("--config", config, "--source", moved))
    old = threading.Thread(target=old_server)
    old.start()
    try:
        numbers = [[leaf_id(one, "/api/segment/get/orders") for _ in range(2_000)] for one in services]
        flakes = [[leaf_id(one, f"/api/snowflake/get/{key}") for key in range(2_000)] for one in services]
    finally:
        is_over.set()
        old.join(HANG_S)
    assert len(taken) > 0
    assert_disjoint(*numbers, taken)
    assert_disjoint(*flakes)
    for ids in (*numbers, *flakes):
        assert_rising(ids)
