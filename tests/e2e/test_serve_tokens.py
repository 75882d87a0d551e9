"""`snowmint serve` with tokens: who may ask for what over both protocols, and how much of it."""

import functools
import json
import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
import redis

from driver import INPUT, STORE, assert_rising
from ports import free_port
from services import FREE, Answer, RespClient
from test_serve_leases import Client, must_refuse, post

SOURCES = (
    *("--source", "orders=segment+sqlite:ids.db?tag=orders"),
    *("--source", "bills=segment+sqlite:ids.db?tag=bills"),
    *("--source", "chat=sequences+sqlite:ids.db?tag=chat"),
)
NO_LOGIN = "NOAUTH Authentication required."
WRONG = "WRONGPASS invalid username-password pair or user is disabled."


@pytest.fixture
def serve(snowmint, start_service):
    """Starts services that ask for tokens; they end with the test."""
    for tag in ("orders", "bills", "chat"):
        snowmint.run("segment", "create", "sqlite:ids.db?create=true", tag).must_succeed()
    return functools.partial(start_service, "--tokens-file", "tokens.toml", *SOURCES)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def mint(service, token, source="orders", **query):
    parameters = "&".join(f"{name}={value}" for name, value in query.items())
    return service.ask("POST", f"/v1/ids/{source}?{parameters}", headers=bearer(token))


def reload(service):
    return service.ask_as_operator("POST", "/admin/reload")


def test_nobody_asks_without_one(serve, create_token):
    token = create_token("shop", "--sources", "orders")
    service = serve()
    paths = (
        ("POST", "/v1/ids/orders"),
        ("POST", "/v1/ids/none"),
        ("POST", "/v1/sequences/chat/1"),
        ("GET", "/v1/sources"),
    )
    for method, path in paths:
        refused = service.ask(method, path).must_refuse(401, "store_denied")
        assert refused.headers["www-authenticate"] == "Bearer", refused
        for wrong in (token[:-1], token + "0", "smt_"):
            refused = service.ask(method, path, headers=bearer(wrong))
            refused.must_refuse(401, "store_denied")
            assert "invalid_token" in refused.headers["www-authenticate"], refused
        for wrong in (f"Basic {token}", token, "Bearer", "Bearer " + "x" * 10_000):
            refused = service.ask(method, path, headers={"Authorization": wrong})
            refused.must_refuse(401, "store_denied")
    for path in ("/healthz", "/readyz", "/v1/decode/1541815603606036480?layout=twitter"):
        assert service.ask("GET", path).status == 200, path
    # In the query it is no token: queries are in logs.
    service.ask("POST", f"/v1/ids/orders?access_token={token}").must_refuse(401, "store_denied")
    assert mint(service, token).ids == [1]
    assert token not in service.said


def test_denied_clients_are_not_counted_as_a_store_that_denies(serve, create_token):
    token = create_token("shop", "--sources", "orders")
    service = serve("--leases-store", "sqlite:ids.db")
    mint(service, "smt_wrong").must_refuse(401, "store_denied")
    mint(service, token, "bills").must_refuse(403, "store_denied")
    must_refuse(post(service, "/v1/workers/acquire", Client("a").request), 401, "store_denied")
    with RespClient(service) as client:
        assert client.refused("INCR", "orders") == NO_LOGIN
    metrics = service.ask_as_operator("GET", "/metrics").body.decode()
    assert 'snowmint_errors_total{code="client_denied"} 4\n' in metrics
    assert 'code="store_denied"' not in metrics


def test_a_token_may_what_it_says(serve, create_token):
    shop = create_token("shop", "--sources", "orders,chat", "--max-count", 10)
    everybody = create_token("all", "--sources", "*", "--reads")
    none = create_token("none")
    service = serve()
    assert mint(service, shop, count=10).ids == list(range(1, 11))
    refused = mint(service, shop, count=11).must_refuse(400, "count_out_of_range")
    assert "10 IDs at once" in refused.json["detail"]
    mint(service, shop, count=11, form="ranges").must_refuse(400, "count_out_of_range")
    assert service.ask("POST", "/v1/sequences/chat/7", headers=bearer(shop)).ids == [1]
    # Only those who may ask for a source are told if it exists.
    for source in ("bills", "none", "%6fther"):
        mint(service, shop, source).must_refuse(403, "store_denied")
    mint(service, everybody, "none").must_refuse(404, "unknown_tag")
    assert mint(service, everybody, "bills", count=11).status == 200
    for path in ("/v1/ids/orders", "/v1/sequences/chat/7"):
        service.ask("POST", path, headers=bearer(none)).must_refuse(403, "store_denied")
    for token in (shop, none):
        service.ask("GET", "/v1/sources", headers=bearer(token)).must_refuse(403, "store_denied")
    sources = service.ask("GET", "/v1/sources", headers=bearer(everybody)).json["sources"]
    assert [source["name"] for source in sources] == ["bills", "chat", "orders"]


def test_a_reader_sees_its_own_sources(serve, create_token):
    token = create_token("shop", "--sources", "orders", "--reads")
    service = serve()
    sources = service.ask("GET", "/v1/sources", headers=bearer(token)).json["sources"]
    assert [source["name"] for source in sources] == ["orders"]
    with RespClient(service) as client:
        client.ask("AUTH", token)
        info = client.ask("INFO")
        assert b"orders:ids=" in info and b"bills" not in info


def test_a_rate_is_held_over_both_protocols(serve, create_token):
    # As slow as can be: what was taken does not come back while the test runs.
    token = create_token("shop", "--sources", "*", "--rate", 1, "--burst", 40)
    service = serve()
    assert len(mint(service, token, count=20).ids) == 20
    refused = mint(service, token, count=30).must_refuse(429, "overloaded")
    assert int(refused.headers["retry-after"]) >= 1 and refused.json["retry_ms"] > 0
    assert "shop" in refused.json["detail"] and token not in refused.json["detail"]
    mint(service, token, count=41).must_refuse(400, "count_out_of_range")
    with RespClient(service) as client:
        client.ask("AUTH", token)
        assert client.ask("INCRBY", "orders", 15) == 35
        assert client.refused("INCRBY", "orders", 15).startswith("ERR overloaded: ")
        assert client.refused("INCRBY", "orders", 41).startswith("ERR count_out_of_range: ")
        # A look takes nothing.
        assert client.ask("GET", "orders") == b"35"
    # A reload does not give back what a token used up.
    assert reload(service).status == 200
    mint(service, token, count=30).must_refuse(429, "overloaded")
    mint(service, token, count=30, form="ranges").must_refuse(429, "overloaded")


def test_an_address_has_a_rate_where_tokens_are_not_needed(snowmint, start_service):
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    listen = {"http": f"{FREE},unix:http.sock"}
    service = start_service(*SOURCES[:2], "--limits-rate", 40, **listen)
    service.mint("orders", count=41).must_refuse(400, "count_out_of_range")
    assert service.mint("orders", count=40).status == 200
    answers = [service.mint("orders", count=40) for _ in range(20)]
    refused = [answer for answer in answers if answer.status != 200]
    assert refused, answers
    refused[0].must_refuse(429, "overloaded")
    # Whoever comes by a path has no address.
    by_path = ["curl", "-sS", "--unix-socket", "http.sock", "-X", "POST"]
    for _ in range(5):
        done = subprocess.run(
            [*by_path, "http://ids/v1/ids/orders?count=100"],
            cwd=snowmint.directory,
            capture_output=True,
            check=True,
        )
        assert len(json.loads(done.stdout)["ids"]) == 100


def test_the_protocol_of_redis(serve, create_token):
    shop = create_token("shop", "--sources", "orders,chat", "--max-count", 10)
    create_token("other", "--sources", "bills")
    service = serve()
    with RespClient(service) as client:
        for words in (("PING",), ("INCR", "orders"), ("MULTI",), ("EXEC",), ("INFO",)):
            assert client.refused(*words) == NO_LOGIN, words
        assert client.refused("HELLO", 3).startswith("NOAUTH HELLO must be called ")
        assert client.refused("HELLO", 4).startswith("NOPROTO ")
        assert "unknown command" in client.refused("NONSENSE")
        for words in (
            ("AUTH", "wrong"),
            ("AUTH", ""),
            ("AUTH", shop[:-1]),
            ("AUTH", "other", shop),
            ("AUTH", "x" * 10_000),
            ("HELLO", 2, "AUTH", "default", "wrong"),
        ):
            assert client.refused(*words) == WRONG, words
        assert client.refused("INCR", "orders") == NO_LOGIN
        assert client.ask("AUTH", shop) == "OK"
        assert client.ask("INCR", "orders") == 1
        # Whoever fails to become another stays who he was.
        assert client.refused("AUTH", "wrong") == WRONG
        assert client.ask("AUTH", "shop", shop) == client.ask("AUTH", "default", shop) == "OK"
        assert client.ask("INCR", "seq:chat:7") == 1
        assert client.ask("INCRBY", "orders", 10) == 11
        assert client.refused("INCRBY", "orders", 11).startswith("ERR count_out_of_range: ")
        for words in (
            ("INCR", "bills"),
            ("INCR", "none"),
            ("INCR", b"\xff"),
            ("INCR", "seq:bills:7"),
            ("INCRBY", "bills", 2),
            ("GET", "bills"),
            ("MGET", "orders", "bills"),
            ("EXISTS", "orders", "bills"),
            ("TTL", "bills"),
            ("EXPIRE", "bills", 9),
            ("SET", "bills", 0, "NX"),
            ("SETNX", "bills", 0),
            ("TYPE", "bills"),
        ):
            assert client.refused(*words).startswith("NOPERM "), words
        assert b"orders" not in client.ask("INFO")
        assert client.ask("PING") == "PONG"
        assert client.ask("RESET") == "RESET"
        assert client.refused("INCR", "orders") == NO_LOGIN
        hello = client.ask("HELLO", 2, "AUTH", "shop", shop, "SETNAME", "me")
        assert dict(zip(hello[::2], hello[1::2]))[b"proto"] == 2
        assert client.ask("CLIENT", "GETNAME") == b"me"
        assert client.ask("INCR", "orders") == 12
        assert client.ask("QUIT") == "OK"
    assert shop not in service.said


def test_a_batch_is_refused_whole_where_a_part_may_not(serve, create_token):
    shop = create_token("shop", "--sources", "orders")
    with RespClient(serve()) as client:
        client.ask("AUTH", shop)
        client.ask("MULTI")
        assert client.ask("INCR", "orders") == "QUEUED"
        assert client.refused("INCR", "bills").startswith("NOPERM ")
        assert client.refused("EXEC").startswith("EXECABORT ")
        client.ask("MULTI")
        client.ask("INCR", "orders")
        assert client.ask("EXEC") == [1]


@pytest.mark.parametrize("protocol", [2, 3])
def test_redis_py_logs_in(serve, create_token, protocol):
    shop = create_token("shop", "--sources", "orders")
    host, port = serve().resp
    connect = functools.partial(redis.Redis, host=host, port=port, protocol=protocol)
    for more in ({}, {"username": "shop"}, {"username": "default"}):
        with connect(password=shop, **more) as client:
            assert client.incr("orders") > 0
            with client.pipeline() as batch:
                assert len(batch.incr("orders").incr("orders").execute()) == 2
            with pytest.raises(redis.exceptions.NoPermissionError):
                client.incr("bills")
    with connect() as client, pytest.raises(redis.exceptions.AuthenticationError):
        client.incr("orders")
    with connect(password="wrong") as client, pytest.raises(redis.exceptions.AuthenticationError):
        client.incr("orders")


def test_the_tools_as_they_are(snowmint, serve, create_token):
    token = create_token("shop", "--sources", "orders")
    service = serve()
    (host, port), (http_host, http_port) = service.resp, service.http
    done = snowmint.command(
        ["redis-cli", "-h", host, "-p", port, "INCR", "orders"],
        environment={"REDISCLI_AUTH": token},
    )
    assert done.must_succeed().output == "1\n", done
    url = f"http://{http_host}:{http_port}/v1/ids/orders"
    done = snowmint.command(["curl", "-sS", "-X", "POST", "--oauth2-bearer", token, url])
    assert json.loads(done.must_succeed().output) == {"ids": ["2"]}


def test_a_token_is_revoked_from_the_request_after_a_reload_on(snowmint, serve, create_token):
    first, second = (create_token(name, "--sources", "orders") for name in ("first", "second"))
    service = serve()
    with RespClient(service) as client, RespClient(service) as other:
        for one, token in ((client, first), (other, second)):
            one.ask("AUTH", token)
            assert one.ask("INCR", "orders") > 0
        client.ask("MULTI")
        assert client.ask("INCR", "orders") == "QUEUED"
        snowmint.run("token", "revoke", "--file", "tokens.toml", "first").must_succeed()
        # Until it is read again the service goes on as before.
        assert mint(service, first).status == 200
        assert reload(service).status == 200
        mint(service, first).must_refuse(401, "store_denied")
        assert client.refused("EXEC") == NO_LOGIN
        assert client.refused("INCR", "orders") == NO_LOGIN
        assert client.refused("AUTH", first) == WRONG
        assert other.ask("INCR", "orders") > 0
        third = create_token("third", "--sources", "orders")
        assert client.refused("AUTH", third) == WRONG
        assert reload(service).status == 200
        assert client.ask("AUTH", third) == "OK"
    missing = snowmint.run("token", "revoke", "--file", "tokens.toml", "first")
    missing.must_refuse(INPUT, saying="is called first")
    missing = snowmint.run("token", "revoke", "--file", "tokens.toml", second)
    assert second not in missing.must_refuse(INPUT, saying="name it").errors


def test_a_transaction_ends_at_the_command_before_which_its_token_is_revoked(
    snowmint, serve, create_token
):
    token = create_token("shop", "--sources", "slow")
    service = serve("--source", "slow=segment+sqlite:ids.db?tag=orders&wait_ms=3600000")
    file = sqlite3.connect(snowmint.directory / "ids.db", isolation_level=None)
    with closing(file) as lock, RespClient(service) as client:
        assert client.ask("AUTH", token) == "OK"
        lock.execute("BEGIN EXCLUSIVE")
        client.socket.sendall(b"MULTI\r\nPING\r\nINCR slow\r\nINCR slow\r\nEXEC\r\n")
        said = [client.file.readline() for _ in range(6)]
        assert said[-2:] == [b"*3\r\n", b"+PONG\r\n"], "the second command waits for the store"
        snowmint.run("token", "revoke", "--file", "tokens.toml", "shop").must_succeed()
        assert reload(service).status == 200
        lock.execute("ROLLBACK")
        assert [client.reply(), str(client.reply())] == [1, NO_LOGIN]


def test_a_request_with_two_tokens_is_refused(serve, create_token):
    """A proxy may have read the other one."""
    tokens = [create_token(name, "--sources", "orders") for name in ("one", "other")]
    service = serve()
    for two in (tokens, tokens[:1] * 2, [tokens[0], "smt_"]):
        connection = service.connect()
        connection.putrequest("POST", "/v1/ids/orders")
        for token in two:
            connection.putheader("Authorization", f"Bearer {token}")
        connection.endheaders()
        answer = Answer(connection.getresponse()).must_refuse(400, "invalid_parameter")
        assert "more than one Authorization" in answer.json["detail"]
        connection.close()
    assert mint(service, tokens[0]).ids == [1]


def test_nobody_gets_less_safe_by_a_reload_that_fails(snowmint, serve, create_token):
    token = create_token("shop", "--sources", "orders")
    service = serve()
    path = snowmint.directory / "tokens.toml"
    text = path.read_text()
    for wrong in (text + "colour = 1\n", text.replace("sha256", "sha512"), text + text):
        path.write_text(wrong)
        reload(service).must_refuse(400, "invalid_parameter")
        assert mint(service, token).status == 200
    path.unlink()
    reload(service).must_refuse(400, "invalid_parameter")
    service.mint("orders").must_refuse(401, "store_denied")


def test_tokens_that_are_created_at_once_are_all_kept(snowmint, serve, create_token):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda at: create_token(f"t{at}", "--sources", "orders"), range(24)))
    service = serve()
    assert sorted(mint(service, token).ids[0] for token in made) == list(range(1, 25))


def test_leases_are_for_those_who_may(serve, create_token):
    worker = create_token("worker", "--leases", "--sources", "orders", "--max-count", 10)
    plain = create_token("plain", "--sources", "orders")
    service = serve("--leases-store", "sqlite:ids.db")
    client = Client(service)
    path = "/v1/workers/acquire"
    refused = must_refuse(post(service, path, client.request), 401, "store_denied")
    assert refused.headers["www-authenticate"] == "Bearer"
    refused = post(service, path, client.request, **bearer(plain))
    must_refuse(refused, 403, "store_denied")
    assert post(service, path, client.request, **bearer(worker)).status == 200

    def allocate(tag, body):
        return post(service, f"/v1/segments/{tag}/allocate", body, **bearer(worker))

    given = allocate("orders", {"count": "10"}).json
    assert (given["start"], given["end"]) == ("1", "11")
    # As many as the token may have: a client asks for more the faster it uses them up.
    assert allocate("orders", {"count": "11"}).json["end"] == "21"
    # The tag's step is 1000.
    assert allocate("orders", {}).json["end"] == "31"
    must_refuse(allocate("bills", {"count": "1"}), 403, "store_denied")


def test_numbers_that_the_store_does_not_give_are_not_counted(serve, create_token):
    token = create_token("shop", "--leases", "--sources", "*", "--rate", 1, "--burst", 100)
    service = serve("--leases-store", "sqlite:ids.db")

    def allocate(tag):
        return post(service, f"/v1/segments/{tag}/allocate", {"count": "100"}, **bearer(token))

    for _ in range(3):
        must_refuse(allocate("none"), 404, "unknown_tag")
    assert allocate("orders").json["end"] == "101"
    must_refuse(allocate("orders"), 429, "overloaded")


def test_an_address_acquires_so_many_worker_ids(snowmint, start_service):
    store = ("--leases-store", "sqlite:ids.db?create=true")
    service = start_service(*store, "--leases-per-address", 3)
    clients = [Client(service) for _ in range(4)]
    # Requests that the store refuses are not counted.
    for _ in range(5):
        must_refuse(Client(service, reserve_ms=0).acquire(), 400, "invalid_parameter")
    assert [client.acquire().status for client in clients[:3]] == [200] * 3
    refused = must_refuse(clients[3].acquire(), 429, "overloaded")
    assert refused.json["retry_ms"] > 1_000 and int(refused.headers["retry-after"]) > 1
    # Those who have one keep it.
    assert clients[0].renew().status == 200
    assert clients[0].release().status == 200


def test_clients_of_leaf(serve, create_token):
    token = create_token("leaf", "--sources", "orders")
    path = "/api/segment/get/orders"
    asked = serve("--fronts-leaf", "true")
    refused = asked.ask("GET", path).must_refuse(401, "store_denied")
    assert refused.headers["www-authenticate"] == "Bearer"
    assert asked.ask("GET", path, headers=bearer(token)).body == b"1"
    bills = "/api/segment/get/bills"
    asked.ask("GET", bills, headers=bearer(token)).must_refuse(403, "store_denied")
    assert asked.ask("GET", "/decodeSnowflakeId?snowflakeId=1").status == 200
    # They cannot show one: an operator may let them in all the same, and nobody else.
    opened = serve("--fronts-leaf", "true", "--tokens-fronts", "open")
    assert int(opened.ask("GET", path).body) > 1
    opened.mint("orders").must_refuse(401, "store_denied")


def test_clients_of_tinyid_show_its_tokens(serve, create_token):
    own = "0f673adf80504e2eaa552f5d791b644c"
    assert create_token("tinyid", "--sources", "orders", "--text-from-stdin", input=f"{own}\n") == ""
    limited = create_token("limited", "--sources", "*", "--max-count", 3, "--rate", 1, "--burst", 8)
    service = serve("--fronts-tinyid", "true")

    def ask(path, token, biz_type="orders"):
        return service.ask("GET", f"/tinyid/id/{path}&bizType={biz_type}&token={token}")

    assert ask("nextId?batchSize=2", own).json["data"] == [1, 2]
    assert ask("nextIdSimple?batchSize=1", own).body == b"3"
    for token, biz_type in (("wrong", "orders"), (own, "bills"), ("", "orders"), (own, "none")):
        denied = ask("nextId?batchSize=1", token, biz_type).json
        assert (denied["code"], denied["data"]) == (5, None), denied
        assert own not in json.dumps(denied)
        assert ask("nextIdSimple?batchSize=1", token, biz_type).body == b""
    assert service.ask("GET", "/tinyid/id/nextId?bizType=orders").json["code"] == 5
    # It is a token as any other.
    assert mint(service, own).ids == [4]
    assert len(ask("nextId?batchSize=100", limited).json["data"]) == 3
    current, _, last, *_ = map(int, ask("nextSegmentIdSimple?", limited).body.split(b","))
    assert last - current == 3
    # Two are left of eight: a segment is as short as that.
    current, _, last, *_ = map(int, ask("nextSegmentIdSimple?", limited).body.split(b","))
    assert last - current <= 3
    assert ask("nextId?batchSize=3", limited).json["code"] == 6


def test_servers_of_an_ordered_tag_show_each_other_a_token(snowmint, serve, create_token):
    shop = create_token("shop", "--sources", "orders", "--rate", 1, "--burst", 100)
    (snowmint.directory / "token").write_text(create_token("servers", "--sources", "orders") + "\n")
    ordered = ("--ordered-sources", "orders", "--ordered-store", "sqlite:ids.db")

    def begin(*more):
        port = free_port()
        address = ("--ordered-address", f"http://127.0.0.1:{port}")
        return serve(*ordered, *address, *more, http=f"127.0.0.1:{port}")

    (snowmint.directory / "token").chmod(0o600)
    servers = [begin("--ordered-token-file", "token") for _ in "12"]
    numbers = [mint(servers[at % 2], shop).ids[0] for at in range(20)]
    assert_rising(numbers)
    # Each has had ten of them, whoever gave them.
    for server in servers:
        mint(server, shop, count=95).must_refuse(429, "overloaded")
        server.ask("POST", "/v1/ids/orders", headers={"Snowmint-Sent-On": "1"}).must_refuse(
            401, "store_denied"
        )
    with RespClient(servers[0]) as one, RespClient(servers[1]) as other:
        for client in (one, other):
            client.ask("AUTH", shop)
        more = [client.ask("INCR", "orders") for _ in range(5) for client in (one, other)]
    assert_rising(numbers + more)


def test_servers_of_an_ordered_tag_need_one(snowmint, serve, create_token):
    create_token("shop", "--sources", "orders")
    ordered = ("--ordered-sources", "orders", "--ordered-store", "sqlite:ids.db")
    address = ("--ordered-address", "http://127.0.0.1:1")
    command = ("serve", "--tokens-file", "tokens.toml", *SOURCES, *ordered, *address)
    snowmint.run(*command).must_refuse(INPUT, saying="ordered.token_file is not set")
    path = snowmint.directory / "token"
    path.write_text("smt_secret")
    path.chmod(0o644)
    done = snowmint.run(*command, "--ordered-token-file", "token")
    done.must_refuse(STORE, saying="may be read or written by others")
    path.chmod(0o600)
    path.write_text("smt secret")
    done = snowmint.run(*command, "--ordered-token-file", "token")
    assert "smt secret" not in done.must_refuse(INPUT, saying="has no token").errors
