"""`snowmint serve` over HTTP: forms, errors, limits, a store that fails, signals and kills."""

import json
import re
import shlex
import shutil
import signal
import sqlite3
import struct
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime, timedelta, timezone
from http.client import IncompleteRead
from urllib.parse import quote

import pytest
from driver import assert_disjoint, assert_rising, rounds, workers
from loads import HttpLoad
from services import Answer, RespClient, Service, eventually, metric, read_all

IDS = "ids=snowflake+sqlite:ids.db?create=true&layout=twitter"
ORDERS = "orders=segment+sqlite:ids.db?tag=orders"


@pytest.fixture
def serve(snowmint, start_service):
    """Starts services over a database with a tag; they end with the test."""
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()

    def start(*arguments, sources=(IDS, ORDERS)):
        named = [part for source in sources for part in ("--source", source)]
        return start_service(*named, *arguments)

    return start


def test_it_runs_without_a_word(snowmint):
    with Service(snowmint) as service:
        ids = [one for _ in range(3) for one in service.mint("ids", count=2).ids]
        assert_rising(ids)
        assert (snowmint.state / "ids.db").exists()
        assert service.stop() == 0
        assert " WARN " not in service.said


def test_the_examples_of_help(snowmint, serve):
    """Each service on free ports, and its clients on those."""
    text = snowmint.run("serve", "--help").must_succeed().output
    lines = [line.strip() for line in text.split("Examples:\n")[1].splitlines()]
    (snowmint.directory / "serve.toml").write_text("[limits]\ncount = 5\n")
    services = [shlex.split(line)[2:] for line in lines if line.startswith("snowmint serve")]
    assert len(services) >= 3
    for arguments in services:
        if "--print-config" in arguments:
            snowmint.run("serve", *arguments).must_succeed()
        else:
            assert Service(snowmint, *arguments).stop() == 0
    with Service(snowmint) as service:
        for tool in ("curl", "redis-cli"):
            (line,) = [line for line in lines if line.startswith(tool)]
            assert "8064" in line or "6064" in line
            line = line.replace("8064", str(service.http[1])).replace("6064", str(service.resp[1]))
            if shutil.which(tool):
                assert re.search(r"\d{15,}", snowmint.shell(line).must_succeed().output)


def test_ids_in_every_form(serve):
    service = serve()
    assert len(service.ask("POST", "/v1/ids/ids").ids) == 1
    assert service.mint("orders", count=3).ids == [1, 2, 3]
    text = service.ask("POST", "/v1/ids/orders?count=2", headers={"Accept": "text/plain"})
    assert (text.headers["content-type"], text.body) == ("text/plain; charset=utf-8", b"4\n5\n")
    headers = {"Accept": "application/octet-stream"}
    binary = service.ask("POST", "/v1/ids/orders?count=2", headers=headers)
    assert struct.unpack(">2Q", binary.body) == (6, 7)
    ranges = service.mint("orders", count=2_500, form="ranges").json["ranges"]
    spans = [range(*(int(one[key]) for key in ("start", "end", "stride"))) for one in ranges]
    numbers = [number for span in spans for number in span]
    assert len(numbers) == 2_500 and numbers[0] == 8
    assert_rising(numbers)
    assert_rising(service.mint("ids", count=10_000).ids)


def test_nobody_may_keep_an_answer(serve):
    service = serve()
    requests = [
        ("POST", "/v1/ids/orders"),
        ("POST", "/v1/ids/none"),
        ("GET", "/v1/ids/orders"),
        ("GET", "/v1/decode/1541815603606036480"),
        ("GET", "/v1/sources"),
        ("GET", "/healthz"),
        ("GET", "/readyz"),
        ("GET", "/none"),
    ]
    for method, path in requests:
        assert service.ask(method, path).headers["cache-control"] == "no-store", path
    answer = service.ask_as_operator("GET", "/metrics")
    assert answer.headers["cache-control"] == "no-store"


def test_a_refusal_says_what_is_wrong(serve):
    service = serve("--limits-count", 10, "--limits-range-count", 20)
    for count in ("0", "11", "1000000000", "100000000000000000000"):
        service.mint("ids", count=count).must_refuse(400, "count_out_of_range")
    service.mint("orders", count=21, form="ranges").must_refuse(400, "count_out_of_range")
    assert len(service.mint("ids", count=10).ids) == 10
    for count in ("-1", "+1", "1.5", "many", ""):
        service.mint("ids", count=count).must_refuse(400, "invalid_parameter")
    service.mint("ids", form="sets").must_refuse(400, "invalid_parameter")
    service.mint("ids", form="ranges").must_refuse(400, "unsupported")
    service.mint("ids", colour=1).must_refuse(400, "unknown_parameter")
    service.mint("none").must_refuse(404, "unknown_tag")
    service.ask("POST", "/v2/ids/ids").must_refuse(404, "unsupported")
    refused = service.ask("GET", "/v1/ids/ids").must_refuse(405, "unsupported")
    assert refused.headers["allow"] == "POST"
    whole = service.ask("OPTIONS", "*")
    assert (whole.status, whole.headers["allow"]) == (204, "GET, HEAD, POST, OPTIONS")
    headers = {"Accept": "image/png"}
    service.ask("POST", "/v1/ids/ids", headers=headers).must_refuse(406, "unsupported")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_nobody_reads_is_refused(serve, chunked):
    """Its count would be passed over; one that is empty says nothing."""
    service = serve()

    def ask(path, text):
        body = iter([text]) if chunked else text
        return service.ask("POST", path, body, {"Content-Type": "application/json"})

    refused = ask("/v1/ids/orders", b'{"count":3}').must_refuse(400, "invalid_parameter")
    assert "?count=3" in refused.json["detail"]
    ask("/v1/sequences/orders/7", b"{}").must_refuse(400, "invalid_parameter")
    assert ask("/v1/ids/orders?count=2", b"").ids == [1, 2]
    assert service.ask("POST", "/v1/ids/orders").ids == [3]


def test_get_mints_where_it_is_configured(serve):
    service = serve("--http-get", "true")
    ids = [service.ask("GET", "/v1/ids/orders").ids for _ in range(2)]
    assert ids == [[1], [2]]


def test_an_id_is_taken_apart(serve):
    service = serve()
    (one,) = service.mint("ids").ids
    (reading,) = service.ask("GET", f"/v1/decode/{one}?layout=twitter").json["readings"]
    worker = reading["datacenter"] << 5 | reading["worker"]
    assert (reading["id"], {worker}) == (str(one), workers([one]))
    layouts = [one["layout"] for one in service.ask("GET", f"/v1/decode/{one}").json["readings"]]
    assert "twitter" in layouts
    beside = service.ask("GET", "/v1/decode/175928847299117063?beside=guild_id").json["readings"]
    assert beside[0]["layout"] == "discord" and "doubt" not in beside[0]
    said = service.ask("GET", "/v1/decode/1427970479175499776").json
    assert {"twitter": "ambiguous"}.items() <= {
        reading["layout"]: reading["doubt"] for reading in said["readings"]}.items()
    assert "do not tell apart twitter" in said["none_likely"]
    service.ask("GET", "/v1/decode/x!").must_refuse(400, "invalid_text")
    service.ask("GET", "/v1/decode/1?layout=none").must_refuse(400, "unknown_layout")
    service.ask("GET", "/v1/decode/1?tick_ms=5").must_refuse(400, "invalid_parameter")
    refused = service.ask("GET", "/v1/decode/1?layout=twitter&tick_ms=5")
    assert "--" not in refused.must_refuse(400, "invalid_parameter").json["detail"]
    refused = service.ask("GET", "/v1/decode/5").must_refuse(400, "unknown_layout")
    assert refused.json["detail"].endswith("; name its layout with ?layout=NAME")
    assert "none that is known has such an ID" in refused.json["title"]
    link = quote(f"https://x.com/jack/status/{one}?s=20", safe="")
    assert service.ask("GET", f"/v1/decode/{link}").json["readings"][0]["id"] == str(one)
    ulid = service.ask("GET", "/v1/decode/01ARZ3NDEKTSV4RRFFQ69G5FAV").json["readings"]
    assert [ulid[0]["layout"], ulid[0]["unix_ms"]] == ["ulid", 1469922850259]
    rounded = service.ask("GET", "/v1/decode/1239162456494753800").json
    assert "looks rounded" in rounded["note"] and rounded["readings"]
    table = quote("user_id,amount\n7.08E+17,200", safe="")
    refused = service.ask("GET", f"/v1/decode/{table}").must_refuse(400, "invalid_text")
    assert refused.json["detail"].startswith('user_id is damaged: "7.08E+17" was rounded'), refused
    for text, form in [("hello", "?format=base36"), ("4aaW4SzAyQK", "?format=FORM")]:
        refused = service.ask("GET", f"/v1/decode/{text}").must_refuse(400, "unknown_text_form")
        assert form in refused.json["detail"] and "--" not in refused.json["detail"], refused


def test_sources_and_metrics_say_what_is_going_on(serve):
    service = serve()
    service.mint("orders", count=5)
    listed = {one["name"]: one for one in service.ask("GET", "/v1/sources").json["sources"]}
    assert listed["orders"]["issued"] == "5"
    assert listed["ids"]["stats"]["kind"] == "snowflake" and listed["ids"]["layout"]
    text = service.ask_as_operator("GET", "/metrics").body.decode()
    sample = re.compile(r'[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? (-?\d+(\.\d+)?|\+Inf)')
    lines = text.splitlines()
    assert all(sample.fullmatch(line) for line in lines if not line.startswith("#")), text
    assert 'snowmint_ids_total{source="orders"} 5' in lines
    assert 'snowmint_source_ready{source="ids"} 1' in lines


def test_a_store_that_is_locked_stops_nobody_else(serve, snowmint):
    """One loop: a call that blocked would keep the others from their answers."""
    sources = ("fixed=snowflake:?worker_id=1", f"{ORDERS}&step=10&wait_ms=300")
    service = serve("--event-loops", 1, sources=sources)
    assert service.mint("orders").ids == [1]
    with closing(sqlite3.connect(snowmint.directory / "ids.db", isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        with ThreadPoolExecutor(4) as pool:
            # More than there are at hand.
            waiting = [pool.submit(service.mint, "orders", count=1_000) for _ in range(4)]
            for _ in range(50):
                assert len(service.mint("fixed").ids) == 1
                assert service.ask("GET", "/healthz").body == b"ok\n"
            answers = [one.result() for one in waiting]
        # Numbers at hand go to whoever asks first: those of this range, and of the one fetched ahead.
        given = [one.ids for one in answers if one.status == 200]
        assert len(given) <= 2, answers
        assert_disjoint([1], *given)
        for refused in (one for one in answers if one.status != 200):
            assert refused.status == 503, refused
            assert refused.json["code"] in ("store_locked", "wait_timeout"), refused
            assert "retry-after" in refused.headers
        eventually(lambda: service.ask("GET", "/readyz").status == 503)
        body = service.ask("GET", "/readyz").json
        assert body["sources"]["fixed"]["ready"] and not body["sources"]["orders"]["ready"], body
        assert body["sources"]["orders"]["why"], body
        lock.execute("ROLLBACK")
    eventually(lambda: service.mint("orders").status == 200)
    assert service.ask("GET", "/readyz").json["ready"]


def test_a_source_that_cannot_be_opened_ends_it_unless_waiting_helps(serve, snowmint):
    for source, code in [
        ("a=segment+sqlite:ids.db?tag=none", "unknown_tag"),
        ("a=snowflake+sqlite:none.db", "store_missing"),
        ("a=snowflake:?worker_id=1&colour=red", "unknown_parameter"),
    ]:
        listen = ("--http-listen", "127.0.0.1:0", "--resp-listen", "")
        done = snowmint.run("serve", *listen, "--source", source)
        assert f"error[{code}]: sources.a: " in done.must_refuse().errors
    late = "late=segment+postgres://nobody@127.0.0.1:9/none?tag=orders&wait_ms=0"
    service = serve(sources=(ORDERS, late))
    assert service.mint("orders").status == 200
    service.mint("late").must_refuse(503, "store_unavailable")
    assert service.ask("GET", "/readyz").status == 503
    optional = serve("--ready-optional", "late", sources=(ORDERS, late))
    assert optional.ask("GET", "/readyz").status == 200


def test_an_address_has_one_service(serve, snowmint):
    service = serve()
    address = "{}:{}".format(*service.http)
    second = snowmint.run("serve", "--http-listen", address, "--resp-listen", "")
    second.must_refuse(saying=f"{address} cannot be listened on")


def test_no_id_twice_over_kills(serve):
    loads = []
    for _ in range(rounds(3)):
        service = serve()
        loads.append(HttpLoad(service).until(2_000))
        service.kill()
        assert not loads[-1].end().refused, loads[-1].refused
    assert_disjoint(*(load.ids for load in loads))
    assert_disjoint(*(load.orders for load in loads))


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_under_load_answers_what_was_asked(serve, snowmint, sent):
    service = serve()
    load = HttpLoad(service).until(2_000)
    assert service.stop(sent) == 0
    load.end()
    # A connection ends between two requests, and never within an answer.
    incomplete = [one for one in load.broken if isinstance(one, IncompleteRead)]
    assert not incomplete and not load.refused, (incomplete, load.refused)
    assert " WARN " not in service.said, service.said
    listed = snowmint.run("worker", "list", "--json", "ids.db").must_succeed().output
    assert [json.loads(line)["held"] for line in listed.splitlines()] == [False]
    again = serve()
    assert_disjoint(load.ids, again.mint("ids", count=1_000).ids)
    assert_disjoint(load.orders, again.mint("orders", count=1_000).ids)


def test_readiness_falls_before_it_stops(serve):
    service = serve("--timeouts-drain-ms", 3_600_000)
    service.process.send_signal(signal.SIGTERM)
    eventually(lambda: service.ask("GET", "/readyz").status == 503)
    assert service.ask("GET", "/readyz").json["stopping_within_ms"] == 3_600_000
    assert len(service.mint("ids").ids) == 1
    # Whoever does not want to wait says so again.
    assert service.stop() == 0


def test_connections_have_a_limit(serve):
    service = serve("--limits-connections", 2)
    kept = [service.connect(), service.connect()]
    for connection in kept:
        connection.request("POST", "/v1/ids/ids")
        assert Answer(connection.getresponse()).status == 200
    with service.raw(service.http) as third:
        assert b"503" in read_all(third)
    with service.raw(service.resp) as third:
        assert read_all(third).startswith(b"-ERR max number of clients")
    # Operators have places of their own, and take none of those.
    assert metric(service, "snowmint_connections") == 3
    with service.raw(service.admin):
        kept.pop().close()
        eventually(lambda: metric(service, "snowmint_connections") == 3)
        assert service.mint("ids").status == 200


def test_slow_and_silent_connections_end(serve):
    # Long enough for a request to come on a busy machine.
    service = serve("--timeouts-request-ms", 2_000, "--timeouts-idle-ms", 1_000)
    silent, slow, kept = (service.raw(service.http) for _ in range(3))
    slow.sendall(b"POST /v1/ids/ids HTTP/1.1\r\nHost")
    kept.sendall(b"POST /v1/ids/ids HTTP/1.1\r\nHost: a\r\n\r\n")
    assert b"200 OK" in kept.recv(1 << 16)
    for connection in (silent, slow, kept):
        with connection:
            assert b"200 OK" not in read_all(connection)
    eventually(lambda: metric(service, "snowmint_connections") == 1)


def test_malformed_and_oversized_requests_are_refused(serve):
    service = serve("--limits-header-bytes", 8_192)
    for request, status in [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET / HTTP/9.9\r\n\r\n", b""),
        (b"POST /v1/ids/ids HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 10_000, b"431"),
        (b"GET /" + b"x" * 10_000, b"4"),
        (b"POST /v1/ids/ids HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"400"),
    ]:
        with service.raw(service.http) as connection:
            connection.sendall(request)
            answered = read_all(connection)
            assert status in answered[:20] and b" 200 " not in answered, (request[:40], answered)
    assert service.mint("ids").status == 200


def test_malformed_http_gets_a_status_alone(serve):
    """And at the limit of headers an answer, one past it none."""
    service = serve()
    rest = b"Host: a\r\nConnection: close\r\n"
    for request, status in [
        (b"GET /healthz HTTP/1.2\r\n", b"400"),
        (b"POST /v1/ids/ids HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n", b"400"),
        (b"POST /v1/ids/ids HTTP/1.1\r\nContent-Length: +5\r\n", b"400"),
        (b"GET /healthz HTTP/1.1\r\nX: a\r\n b\r\n", b"400"),
        (b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n", b"431"),
        (b"GET /healthz HTTP/1.1\r\n" + b"X: a\r\n" * 99, b"431"),
        (b"GET /healthz HTTP/1.1\r\n" + b"X: a\r\n" * 98, b"200"),
    ]:
        with service.raw(service.http) as connection:
            connection.sendall(request + rest + b"\r\n")
            answered = read_all(connection)
        assert answered.startswith(b"HTTP/1.1 " + status), (request[:40], answered)
        assert (b"content-type" in answered) == (status == b"200"), answered


def test_http_1_1_says_who_is_called(serve):
    """By Host, and in the target as well where that has an absolute form."""
    service = serve()
    own = f"http://127.0.0.1:{service.admin[1]}"
    for target, host, main, admin in [
        ("/healthz", "Host: 127.0.0.1", b"200", b"200"),
        (f"{own}/healthz", "Host: evil.example", b"200", b"200"),
        ("http://evil.example/healthz", "Host: 127.0.0.1", b"200", b"403"),
        ("/healthz", "X: y", b"400", b"400"),
        (f"{own}/healthz", "X: y", b"400", b"400"),
        ("/healthz", "Host: 127.0.0.1\r\nHost: localhost", b"400", b"400"),
    ]:
        for address, status in ((service.http, main), (service.admin, admin)):
            with service.raw(address) as connection:
                request = f"GET {target} HTTP/1.1\r\n{host}\r\nConnection: close\r\n\r\n"
                connection.sendall(request.encode())
                answered = read_all(connection)
            assert answered.startswith(b"HTTP/1.1 " + status), (target, host, answered)
            is_problem = b"application/problem+json" in answered and b'"code":' in answered
            assert is_problem == (status != b"200"), answered
    with service.raw(service.http) as connection:
        connection.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert b"200 OK" in read_all(connection)


def test_a_pipeline_is_answered_in_its_order(serve):
    service = serve()
    request = b"POST /v1/ids/orders HTTP/1.1\r\nHost: a\r\nAccept: text/plain\r\n\r\n"
    last = request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    with service.raw(service.http) as connection:
        connection.sendall(request * 99 + last)
        numbers = re.findall(rb"\r\n\r\n(\d+)\n", read_all(connection))
    assert list(map(int, numbers)) == list(range(1, 101))


def test_sequences_daily_numbers_and_uuids(serve):
    store = "sqlite:ids.db"
    service = serve(
        sources=(
            f"chat=sequences+{store}?tag=chat&keys_per_section=1000",
            f"bills=daily+{store}?tag=bills&zone=Asia/Shanghai",
            "uuids=uuid:?version=7",
        )
    )
    of_key = [service.ask("POST", f"/v1/sequences/chat/{key}").ids[0] for key in (7, 7, 8, 7, 8)]
    assert of_key == [1, 2, 1, 3, 2]
    text = service.ask("POST", "/v1/sequences/chat/7", headers={"Accept": "text/plain"})
    assert text.body == b"4\n"
    for key in ("me", "-1", "+1", "01", "18446744073709551616"):
        service.ask("POST", f"/v1/sequences/chat/{key}").must_refuse(400, "invalid_key")
    with RespClient(service) as client:
        assert [client.ask("INCR", "seq:chat:7") for _ in "12"] == [5, 6]
        assert (client.ask("EXISTS", "seq:chat:7"), client.ask("SETNX", "seq:chat:7", 0)) == (1, 0)
        assert client.ask("INCRBY", "seq:chat:7", 1) == 7
        assert client.refused("INCRBY", "seq:chat:7", 2).startswith("ERR unsupported: ")
        assert client.refused("INCR", "seq:none:7").startswith("ERR unknown_tag: ")
        assert client.refused("INCR", "seq:none:me").startswith("ERR unknown_tag: ")
        for key in ("me", "-1", "+1", "01", "", "18446744073709551616"):
            said = client.refused("INCR", f"seq:chat:{key}")
            assert said.startswith("ERR invalid_key: ") and f'"{key}"' in said, said
            assert client.ask("EXISTS", f"seq:chat:{key}") == 0
        assert client.refused("INCR", "seq:bills:7").startswith("ERR unsupported: ")
        first, second = client.ask("INCR", "bills"), client.ask("INCR", "bills")
        said = client.refused("INCR", "uuids")
        assert said.startswith("ERR unsupported: ") and "POST /v1/ids/uuids" in said
        assert "INCR seq:chat:KEY" in client.refused("INCR", "chat")
        assert client.ask("GET", "uuids") is None
    day = datetime.now(timezone(timedelta(hours=8)))
    # Unless midnight was between them.
    days = [int(f"{one:%Y%m%d}") for one in (day - timedelta(minutes=10), day)]
    assert first // 10**6 in days and second - first in (1, 10**6)
    refused = service.mint("chat").must_refuse(400, "unsupported")
    assert "POST /v1/sequences/chat/KEY" in refused.json["detail"]
    refused = service.ask("POST", "/v1/sequences/uuids/7").must_refuse(400, "unsupported")
    assert "POST /v1/ids/uuids" in refused.json["detail"]
    service.ask("POST", "/v1/sequences/chat/me").must_refuse(400, "invalid_key")
    service.ask("POST", "/v1/sequences/none/7").must_refuse(404, "unknown_tag")
    service.ask("POST", "/v1/sequences/bills/7").must_refuse(400, "unsupported")
    service.ask("GET", "/v1/sequences/chat/7").must_refuse(405, "unsupported")
    service.ask("POST", "/v1/sequences/chat").must_refuse(404, "unsupported")
    service.ask("POST", "/v1/ids/chat").must_refuse(400, "unsupported")

    uuids = service.mint("uuids", count=3).json["ids"]
    assert uuids == sorted(uuids) and {uuid.UUID(one).version for one in uuids} == {7}
    lines = service.ask("POST", "/v1/ids/uuids?count=2", headers={"Accept": "text/plain"}).body
    assert [uuid.UUID(line).version for line in lines.decode().split()] == [7, 7]
    headers = {"Accept": "application/octet-stream"}
    assert len(service.ask("POST", "/v1/ids/uuids?count=2", headers=headers).body) == 32
    with RespClient(service) as client:
        assert client.ask("GET", "uuids") is None
    service.mint("uuids", count=0).must_refuse(400, "count_out_of_range")


def test_the_end_of_a_tag_is_given_to_the_last_and_costs_the_others_nothing(serve, snowmint):
    store = "sqlite:ids.db"
    for tag in ("few", "some"):
        snowmint.run("segment", "create", store, tag, "--max", 5_000).must_succeed()
    named = [f"{tag}=segment+{store}?tag={tag}" for tag in ("few", "some")]
    service = serve(sources=(*named, ORDERS))
    assert service.mint("few", count=9_000).ids == list(range(1, 5_001))
    ranges = service.mint("some", count=9_000, form="ranges").json["ranges"]
    counts = [int(one["end"]) - int(one["start"]) for one in ranges]
    assert (sum(counts), ranges[-1]["end"]) == (5_000, "5001")
    for form in ("list", "ranges"):
        for tag in ("few", "some"):
            service.mint(tag, count=10, form=form).must_refuse(410, "tag_exhausted")
    # No other service could do better.
    ready = service.ask("GET", "/readyz")
    assert ready.status == 200 and ready.json["ready"], ready
    assert "why" in ready.json["sources"]["few"]
    assert service.mint("orders").ids == [1]
    service.mint("orders", count=10**30).must_refuse(400, "count_out_of_range")


def test_sequences_are_not_ready_while_their_store_is_away(serve, snowmint):
    url = "sequences+sqlite:ids.db?tag=chat&keys_per_section=1&wait_ms=500"
    service = serve(sources=(f"chat={url}",))

    def mint(key):
        return service.ask("POST", f"/v1/sequences/chat/{key}")

    def lines():
        return service.ask_as_operator("GET", "/metrics").body.decode().splitlines()

    def is_there(key):
        answer = mint(key)
        return answer.status == 200 and answer.ids == [1]

    eventually(lambda: is_there(1))
    assert service.ask("GET", "/readyz").status == 200
    (snowmint.directory / "ids.db").rename(snowmint.directory / "away.db")
    mint(2).must_refuse(503, "store_unavailable")
    ready = service.ask("GET", "/readyz")
    assert ready.status == 503 and ready.json["sources"]["chat"]["why"], ready
    assert 'snowmint_source_store_up{source="chat"} 0' in lines()
    # Numbers at hand are given all the same.
    assert mint(1).ids == [2]
    (snowmint.directory / "away.db").rename(snowmint.directory / "ids.db")
    # By itself: nobody mints of a service that is not ready.
    eventually(lambda: service.ask("GET", "/readyz").status == 200)
    assert 'snowmint_source_store_up{source="chat"} 1' in lines()
    eventually(lambda: is_there(2))


def test_numbers_at_hand_are_given_while_the_store_is_away(serve, snowmint):
    snowmint.run("segment", "create", "ids.db", "apart").must_succeed()
    service = serve("--source", "apart=segment+sqlite:ids.db?tag=apart&wait_ms=500&prefetch=100")
    first = service.ask("POST", "/v1/ids/apart").ids
    (snowmint.directory / "ids.db").rename(snowmint.directory / "away.db")
    # More than there is: what there is goes to who asked, and to nobody twice.
    rest = service.ask("POST", "/v1/ids/apart?count=5000").ids
    assert rest and len(rest) < 5000 and not set(first) & set(rest)
    service.ask("POST", "/v1/ids/apart").must_refuse(503, "store_unavailable")
    (snowmint.directory / "away.db").rename(snowmint.directory / "ids.db")
    eventually(lambda: service.ask("POST", "/v1/ids/apart").status == 200)
    assert service.ask("POST", "/v1/ids/apart").ids[0] > rest[-1]
