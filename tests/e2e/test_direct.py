"""Clients that mint themselves, with worker IDs and ranges of `snowmint serve` by `http:`."""

import http.server
import os
import signal
import socket
import sqlite3
import threading
from contextlib import closing, contextmanager

import pytest
from certificates import Authority
from driver import NO_ID, STORE, assert_disjoint, assert_rising, rounds
from services import Service, eventually

ORDERS = ("--source", "orders=segment+sqlite:ids.db?tag=orders")
LEASES = ("--leases-store", "sqlite:ids.db")
# Black-holed and dead servers of a test are many, and each is tried for its share of a call.
PATIENT = "wait_ms=60000"


@pytest.fixture
def tags(snowmint):
    """A database with tags."""
    for tag in ("orders", "shop/orders"):
        create = ("segment", "create", "sqlite:ids.db?create=true", tag)
        snowmint.run(*create, "--step", 10).must_succeed()


@pytest.fixture
def serve(tags, start_service):
    """Starts services on that database; they end with the test."""
    return lambda *more, **others: start_service(*ORDERS, *LEASES, *more, **others)


def at(*services):
    """The servers of a URL."""
    return ",".join(f"{host}:{port}" for host, port in (one.http for one in services))


def again(snowmint, service, *arguments, **more):
    """A server in the place of one that was killed."""
    host, port = service.http
    return Service(snowmint, *arguments, http=f"{host}:{port}", **more)


def key_space(service):
    """Returns the key space of a service."""
    asked = service.ask("POST", "/v1/key-space", "{}", {"content-type": "application/json"})
    return asked.json["key_space"]


def refusal(snowmint, url, saying):
    """Returns the refusal of a call, which a busy machine may take longer to find out."""
    for wait_ms in (2_000, 20_000):
        done = snowmint.run("id", f"{url}&wait_ms={wait_ms}")
        if all(words in done.errors for words in saying):
            break
    return done.must_refuse(saying=saying)


@contextmanager
def silent(service):
    """Stopped: it takes connections, and answers nothing."""
    service.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        service.process.send_signal(signal.SIGCONT)


def test_the_same_numbers_by_both_forms(snowmint, serve):
    servers = at(serve(), serve())
    assert snowmint.mint(f"http://{servers}/orders", "-n", 3) == [1, 2, 3]
    minted = [
        snowmint.mint(f"segment+http://{servers}?tag=orders", "-n", 25),
        snowmint.mint(f"http://{servers}/orders?runway=60s", "-n", 5),
        snowmint.mint("segment+sqlite:ids.db?tag=orders", "-n", 5),
    ]
    assert_disjoint([1, 2, 3], *minted)
    of_shop = [
        snowmint.mint(f"http://{servers}/shop/orders"),
        snowmint.mint(f"segment+http://{servers}?tag=orders&namespace=shop"),
    ]
    assert [1] == of_shop[0] < of_shop[1]


def test_worker_ids_are_leased_and_given_back(snowmint, serve):
    servers = at(serve(), serve())
    url = f"snowflake+http://{servers}"
    minted = []
    with snowmint.stream(url) as stream, snowmint.stream(url) as other:
        for one in (stream, other):
            assert one.read(1_000)
        held = snowmint.run("worker", "list", "sqlite:ids.db").must_succeed().output
        assert held.count("held") == 2 or held.count(str(os.uname().nodename)) >= 2, held
        minted += [stream.kill().ids, other.kill().ids]
    minted += [snowmint.mint(url, "-n", 100) for _ in range(3)]
    for ids in minted:
        assert_rising(ids)
    assert_disjoint(*minted)


def test_ranges_rise_over_servers_that_have_some_at_hand(snowmint, serve, start_service):
    """The numbers that servers have prefetched for their own sources do not rise from one to the next."""
    servers = [serve(), serve()]
    taken = []
    for _ in range(3):
        for service in servers:
            taken += service.mint("orders", count=7).ids
    assert taken != sorted(taken), "the servers' own numbers rise, and nothing is tested"
    with snowmint.stream(f"http://{at(*servers)}/orders?step=10&{PATIENT}") as stream:
        for round_ in range(rounds(6)):
            stream.read(500)
            dead = servers[round_ % 2]
            dead.kill()
            stream.read(500)
            servers[round_ % 2] = again(snowmint, dead, *ORDERS, *LEASES)
            taken += servers[round_ % 2].mint("orders", count=7).ids
        assert stream.process.poll() is None, "it goes on"
        ids = stream.kill().ids
    for service in servers:
        service.kill()
    assert_rising(ids)
    assert_disjoint(ids, taken)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_server_is_killed_under_load(snowmint, tags, request, kind):
    """No call fails, and none repeats."""
    store = "sqlite:ids.db"
    if kind == "postgres":
        store = request.getfixturevalue("postgres")
        join = "&" if "?" in store else "?"
        snowmint.run("segment", "create", f"{store}{join}create=true", "orders").must_succeed()
    arguments = ("--source", "a=uuid:", "--leases-store", store)
    servers = [Service(snowmint, *arguments) for _ in range(2)]
    segment = f"http://{at(*servers)}/orders?step=50&{PATIENT}"
    snowflake = f"snowflake+http://{at(*servers)}?reserve_ms=2000&{PATIENT}"
    streams = [snowmint.stream(url) for url in (segment, segment, snowflake, snowflake)]
    try:
        for round_ in range(rounds(6)):
            for stream in streams:
                stream.read(200)
            dead = servers[round_ % 2]
            dead.kill()
            for stream in streams:
                stream.read(1_000)
            servers[round_ % 2] = again(snowmint, dead, *arguments)
        assert all(stream.process.poll() is None for stream in streams), "they go on"
    finally:
        ended = [stream.kill() for stream in streams]
        for service in servers:
            service.kill()
    assert not any("error[" in done.errors for done in ended), ended
    for done in ended:
        assert_rising(done.ids)
    assert_disjoint(ended[0].ids, ended[1].ids)
    assert_disjoint(ended[2].ids, ended[3].ids)


def test_a_silent_server_costs_its_share_of_a_call(snowmint, serve):
    """Whoever begins with it has numbers of the other one within the same call."""
    servers = [serve(), serve()]
    with silent(servers[0]):
        minted = [snowmint.mint(f"http://{at(*servers)}/orders", "-n", 5) for _ in range(6)]
        minted.append(snowmint.mint(f"segment+http://{at(*servers)}?tag=orders&step=1", "-n", 20))
        leased = [snowmint.mint(f"snowflake+http://{at(*servers)}") for _ in range(4)]
        refused = snowmint.run("id", f"http://{at(servers[0])}/orders?wait_ms=1000")
        refused.must_refuse(NO_ID, STORE)
    assert_disjoint(*minted)
    assert_disjoint(*leased)
    # The silent server may have done its requests meanwhile: that is lost, and repeats nothing.
    minted.append(snowmint.mint(f"http://{at(*servers)}/orders", "-n", 100))
    assert_disjoint(*minted)


def test_servers_that_are_not_there(snowmint, serve):
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        gone = "{}:{}".format(*listening.getsockname())
    refusal(snowmint, f"http://{gone}/orders?step=10", ["error[store_unavailable]", gone])
    service = serve()
    for _ in range(4):
        assert snowmint.mint(f"http://{gone},{at(service)}/orders?{PATIENT}")
    # It comes while a client waits for it.
    host, port = service.http
    service.kill()
    with snowmint.stream(f"http://{at(service)}/orders?{PATIENT}") as stream:
        with again(snowmint, service, *ORDERS, *LEASES):
            assert stream.read(100)


def test_tokens(snowmint, serve, create_token):
    every = create_token("every", "--sources", "*", "--leases")
    without = create_token("without", "--sources", "*")
    orders = create_token("orders", "--sources", "orders", "--leases")
    servers = at(serve("--tokens-file", "tokens.toml"), serve("--tokens-file", "tokens.toml"))

    def ask(kind, token=None, parameters=""):
        environment = {} if token is None else {"SNOWMINT_TOKEN": token}
        url = kind.replace("//", f"//{servers}") + parameters
        done = snowmint.run("id", url, environment=environment)
        assert not token or token not in done.errors, done
        return done

    segment, snowflake = "http:///orders?", "snowflake+http://?"
    for kind in (segment, snowflake):
        ask(kind, every).must_succeed()
        ask(kind, None, f"token={every}").must_succeed()
        (snowmint.directory / "token").write_text(f"{every}\n")
        ask(kind, "wrong", "token_file=token").must_succeed()
        for wrong, token in ((None, ""), ("wrong", ""), (without, ""), ("", f"token={every}x")):
            done = ask(kind, wrong, token).must_refuse(NO_ID, STORE)
            assert "error[store_denied]" in done.errors and "SNOWMINT_TOKEN" in done.errors, done
            assert every not in done.errors, done
    ask(segment, orders).must_succeed()
    ask("http:///shop/orders?", orders).must_refuse(saying="error[store_denied]")
    ask(segment, "a b").must_refuse(saying="error[invalid_parameter]: SNOWMINT_TOKEN")
    ask(segment, None, "token_file=none").must_refuse(saying="the token in none cannot be read")


@pytest.mark.parametrize(
    ("why", "code"), [("token", "store_denied"), ("store", "unsupported"), ("rate", None)]
)
def test_a_server_that_does_not_serve_a_client_is_passed_over(
    snowmint, serve, start_service, create_token, why, code
):
    """As while a token is made known to one server after the other."""
    token = create_token("shop", "--sources", "*", "--leases")
    well = serve("--tokens-file", "tokens.toml")
    if why == "store":
        other = start_service("--source", "ids=snowflake:?worker_id=7", "--tokens-file", "tokens.toml")
    else:
        words = ("token", "create", "--file", "other.toml", "--name", "shop", "--sources", "*", "--leases")
        known = ("--rate", 1, "--burst", 1, "--text-from-stdin") if why == "rate" else ()
        snowmint.run(*words, *known, input=token).must_succeed()
        other = serve("--tokens-file", "other.toml")
    asked = f"token={token}&step=10&wait_ms="
    if code:
        refused = snowmint.run("id", f"http://{at(other)}/orders?{asked}1500", "-n", 20)
        assert f"error[{code}]" in refused.errors, refused
    url = f"http://{at(well, other)}/orders?{asked}60000"
    assert_disjoint(*(snowmint.mint(url, "-n", 20) for _ in range(8)))


def test_a_token_in_a_file_can_be_changed(snowmint, serve, create_token):
    file = snowmint.directory / "token"
    file.write_text(create_token("old", "--sources", "*", "--leases"))
    service = serve("--tokens-file", "tokens.toml")
    with snowmint.stream(f"http://{at(service)}/orders?step=10&token_file=token") as stream:
        stream.read(100)
        file.write_text(create_token("new", "--sources", "*", "--leases"))
        snowmint.run("token", "revoke", "--file", "tokens.toml", "old").must_succeed()
        assert service.ask_as_operator("POST", "/admin/reload").status == 200
        before = len(stream.ids)
        # More than the pipe and the ranges at hand hold.
        stream.read(20_000)
        assert stream.process.poll() is None and len(stream.ids) >= before + 20_000
        assert_rising(stream.kill().ids)


def test_a_client_that_asks_too_much_is_told_when_to_ask_again(snowmint, serve, create_token):
    token = create_token("slow", "--sources", "*", "--leases", "--rate", 400, "--burst", 100)
    service = serve("--tokens-file", "tokens.toml")
    url = f"http://{at(service)}/orders?step=50&token={token}"
    minted = [snowmint.mint(f"{url}&{PATIENT}", "-n", 50) for _ in range(6)]
    assert_disjoint(*minted)
    # If it asks for more than it may have at once, it gets as much as it may, one part after the other.
    minted.append(snowmint.mint(f"{url}&{PATIENT}", "-n", 300))
    assert_disjoint(*minted)
    slower = create_token("slower", "--sources", "*", "--leases", "--rate", 1, "--burst", 50)
    assert service.ask_as_operator("POST", "/admin/reload").status == 200
    url = f"http://{at(service)}/orders?step=50&token={slower}"
    snowmint.mint(f"{url}&{PATIENT}", "-n", 50)
    refused = snowmint.run("id", f"{url}&wait_ms=1000", "-n", 50).must_refuse(NO_ID, STORE)
    assert "error[overloaded]" in refused.errors and at(service) in refused.errors, refused


def test_tls(snowmint, tags, start_service, tmp_path):
    authority = Authority(tmp_path / "authority")
    certificate, key = authority.issue("server")
    own, own_key = authority.issue("client")
    tls = ("--tls-certificate", certificate, "--tls-key", key)
    service = start_service(*ORDERS, *LEASES, *tls, tls=authority.context())
    port = service.http[1]
    for host in ("localhost", "127.0.0.1"):
        servers = f"{host}:{port}"
        assert snowmint.mint(f"https://{servers}/orders?cafile={authority.file}")
        assert snowmint.mint(f"snowflake+https://{servers}?cafile={authority.file}")
    strangers = Authority(tmp_path / "strangers")
    for url, words in (
        (f"https://localhost:{port}/orders?cafile={strangers.file}", "invalid peer certificate"),
        (f"http://localhost:{port}/orders?", "https:"),
        (f"https://localhost:{port}/orders?cafile=none.pem", "none.pem cannot be read"),
    ):
        refusal(snowmint, url, [words])
    plain = start_service(*ORDERS, *LEASES)
    refusal(snowmint, f"https://{at(plain)}/orders?cafile={authority.file}", [at(plain)])
    mutual = start_service(
        *ORDERS, *LEASES, *tls, "--tls-client-ca", authority.file,
        tls=authority.context((own, own_key)),
    )  # fmt: skip
    url = f"https://{at(mutual)}/orders?cafile={authority.file}"
    assert snowmint.mint(f"{url}&certfile={own}&keyfile={own_key}&{PATIENT}")
    refusal(snowmint, url, ["error[store_denied]", "only clients with a certificate"])


SECOND_START = 1_000_000_000


@pytest.fixture(params=["sqlite", "etcd", "zookeeper"])
def two_stores(request, snowmint):
    """Two stores of one kind, the numbers of the second above all of the first."""
    if request.param == "sqlite":
        urls = ["sqlite:one.db?", "sqlite:other.db?"]
    else:
        url = request.getfixturevalue(request.param)
        urls = [f"{url}&", f"{url.replace('/test-', '/other-')}&"]
    for url, start in zip(urls, (1, SECOND_START)):
        create = ("segment", "create", f"{url}create=true", "orders", "--start", start)
        snowmint.run(*create).must_succeed()
    return [url.rstrip("&?") for url in urls]


@pytest.mark.parametrize("kind", ["numbers", "worker IDs"])
def test_an_open_source_keeps_its_key_space(snowmint, two_stores, kind):
    """A server of another one is passed over, and what that one says of a lease or a tag is no matter."""
    arguments = [("--source", "a=uuid:", "--leases-store", url) for url in two_stores]
    first, second = (Service(snowmint, *words) for words in arguments)
    second.kill()
    servers = at(first, second)
    is_segment = kind == "numbers"
    url = f"http://{servers}/orders?step=10" if is_segment else f"snowflake+http://{servers}?reserve_ms=500"
    refused = f"{at(second)} is refused, and others are asked"
    with snowmint.stream(f"{url}&{PATIENT}") as stream:
        stream.read(1_000)
        with again(snowmint, second, *arguments[1]):
            first.kill()
            eventually(lambda: stream.read_for(0.1) and refused in stream.said)
            with again(snowmint, first, *arguments[0]):
                stream.read(1_000)
                done = stream.kill()
    assert "error[" not in done.errors and "worker ID" not in done.errors, done
    assert f"the ID service at {at(second)}: this is the key space" in done.errors, done
    assert_rising(done.ids)
    assert not is_segment or max(done.ids) < SECOND_START, done


def test_a_service_of_a_service_is_ready_once_that_has_answered(snowmint, serve, start_service):
    other = serve()
    other.kill()
    service = start_service("--source", f"orders=http://{at(other)}/orders?step=10&wait_ms=1000")
    refused = service.ask("GET", "/readyz")
    assert refused.status == 503 and refused.json["sources"]["orders"]["why"], refused
    (store,) = service.ask_as_operator("GET", "/admin/state").json["stores"]
    assert store.get("up") is not True, store
    with again(snowmint, other, *ORDERS, *LEASES):
        eventually(lambda: service.ask("GET", "/readyz").status == 200)
        assert len(service.mint("orders", count=5).ids) == 5


def test_a_store_that_was_put_back_is_found_out(snowmint, serve):
    service = serve()
    with snowmint.stream(f"http://{at(service)}/orders?step=10") as stream:
        stream.read(1_000)
        # The triggers would refuse it, as nobody else may.
        with closing(sqlite3.connect(snowmint.directory / "ids.db", isolation_level=None)) as ids:
            triggers = ids.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            triggers = triggers.fetchall()
            ids.execute("BEGIN IMMEDIATE")
            for name, _ in triggers:
                ids.execute(f"DROP TRIGGER {name}")
            ids.execute("UPDATE snowmint_segment SET next = 1 WHERE tag = 'orders'")
            for _, sql in triggers:
                ids.execute(sql)
            ids.execute("COMMIT")
        done = stream.finish().must_refuse(NO_ID, STORE)
    assert "error[range_regressed]" in done.errors, done
    assert_rising(done.ids)


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """Whatever else may listen."""

    def do_POST(self):
        self.send_error(404)

    def log_message(self, *_):
        pass


def test_a_server_that_is_no_id_service_is_refused(snowmint, serve):
    with http.server.HTTPServer(("127.0.0.1", 0), Elsewhere) as elsewhere:
        threading.Thread(target=elsewhere.serve_forever).start()
        server = "{}:{}".format(*elsewhere.server_address)
        words = f"{server}: it answers HTTP 404, and no word of an ID service"
        refusal(snowmint, f"http://{server}/orders?step=10", [words])
        # Another one is none the worse for it.
        service = serve()
        for _ in range(4):
            assert snowmint.mint(f"http://{server},{at(service)}/orders?{PATIENT}")
        elsewhere.shutdown()


def test_a_request_that_a_service_cannot_serve_is_refused(snowmint, serve, start_service):
    minted, chat = "minted=snowflake+sqlite:ids.db", "chat=sequences+sqlite:ids.db?tag=chat"
    service = serve("--source", minted, "--source", chat)
    servers = at(service)
    for arguments, words in (
        (("id", f"http://{servers}/none?wait_ms=2000"), "error[unknown_tag]"),
        (("id", f"http://{servers}/minted?wait_ms=2000"), "use snowflake+http://"),
        (("id", f"http://{servers}/chat?wait_ms=2000"), "chat is a source here, of another kind"),
        (("id", f"http://{servers}?wait_ms=2000"), "error[invalid_url]: http: names no tag"),
        (("id", f"http://{servers}/a/b/c"), "error[invalid_tag]"),
        (("id", f"http://ann:S3CRET@{servers}/orders"), "write token="),
        (("id", f"daily+http://{servers}?tag=bills&wait_ms=2000"), "error[unsupported]"),
        (("id", f"sequences+http://{servers}?tag=chat", "--key", 7), "error[unsupported]"),
        (("segment", "create", f"http://{servers}", "bills"), "where its store is"),
        (("segment", "list", f"http://{servers}"), "error[unsupported]"),
        (("worker", "list", f"http://{servers}"), "error[unsupported]"),
        (("migrate", f"http://{servers}"), "error[unsupported]"),
        (("doctor", f"http://{servers}"), "unsupported"),
    ):
        done = snowmint.run(*arguments)
        assert done.status != 0 and words in done.output + done.errors, done
        assert "S3CRET" not in done.errors, done
    unleased = start_service("--source", "a=uuid:", "--leases-store", "")
    refused = snowmint.run("id", f"http://{at(unleased)}/orders?wait_ms=2000").must_refuse()
    assert "error[unsupported]" in refused.errors and "leases.store" in refused.errors, refused


def test_servers_of_two_key_spaces_give_nothing(snowmint, serve, start_service):
    """Each process would settle on one of them, and others on the other."""
    create = ("segment", "create", "sqlite:other.db?create=true", "orders", "--start", SECOND_START)
    snowmint.run(*create).must_succeed()
    one, other = serve(), start_service("--leases-store", "sqlite:other.db")
    servers = at(one, other)
    for url in (f"snowflake+http://{servers}?reserve_ms=1000", f"segment+http://{servers}?tag=orders"):
        refusal(snowmint, url, ("key space", "both would give the same"))
    pinned = f"segment+http://{servers}?tag=orders&key_space={key_space(one)}"
    assert snowmint.mint(pinned, "-n", 3) == [1, 2, 3]
