"""Lists of servers that change while a client asks them: in a file, a name service and etcd."""

import base64
import itertools
import json
import re
import socket
import ssl
import threading
import urllib.request
from contextlib import closing, contextmanager, suppress

import pytest
from certificates import Authority
from driver import INPUT, NO_ID, REPOSITORY, STORE, Server, assert_disjoint, assert_rising, rounds
from name_servers import NameServer, address, service
from ports import free_ports
from services import eventually
from slowness import Slow
from test_direct import LEASES, ORDERS, PATIENT, again, at, key_space, serve, silent, tags

__all__ = ["serve", "tags"]

# More than a pipe and the ranges at hand hold.
A_FEW_RANGES = 30_000
KEPT, BACK = "the list of servers cannot be used", "the list of servers is read again"


def name(one):
    return "{}:{}".format(*one.http)


def asked_for(stream, one):
    """Reads until a server has given numbers."""
    looks = itertools.count(1)
    before = answers(one)
    # Each look is an answer as well.
    stream.read_until(lambda: answers(one) - before > next(looks), A_FEW_RANGES)


def answers(one):
    """Returns how often it has answered with success."""
    text = one.ask_as_operator("GET", "/metrics").body.decode()
    return int(re.search(r'^snowmint_http_answers_total{status="2xx"} (\d+)', text, re.MULTILINE)[1])


class Listed:
    """A list in a file."""

    def __init__(self, snowmint):
        self.file = snowmint.directory / "servers"
        self.parameter = "servers=file:servers"

    def put(self, servers):
        new = self.file.with_suffix(".new")
        new.write_text("# of one store\n" + "".join(f"{one}\n" for one in servers))
        new.rename(self.file)


class InEtcd:
    """A list in etcd, below a prefix."""

    def __init__(self, url):
        self.server, self.prefix = re.fullmatch(r"etcd://([^/]+)/([^?]+)\?.*", url).groups()
        self.parameter = f"servers=etcd://{self.server}/{self.prefix}"
        self.listed = set()

    def put(self, servers):
        """New ones come before others go, so that the list is not empty meanwhile."""
        before, self.listed = self.listed, set(servers)
        for one in self.listed:
            self._ask("put", key=self._key(one), value=self._text(one))
        for one in before - self.listed:
            self._ask("deleterange", key=self._key(one))

    def _key(self, server):
        return self._text(f"{self.prefix}/{server}")

    def _text(self, text):
        return base64.b64encode(text.encode()).decode()

    def _ask(self, what, **question):
        body = json.dumps(question).encode()
        urllib.request.urlopen(f"http://{self.server}/v3/kv/{what}", body).read()


@pytest.fixture(params=["file", "etcd"])
def listed(request, snowmint):
    if request.param == "file":
        return Listed(snowmint)
    return InEtcd(request.getfixturevalue("etcd"))


def test_servers_come_and_go(snowmint, serve, listed):
    """No call fails: one leaves the list before it ends."""
    servers = [serve(), serve()]
    listed.put(map(name, servers))
    url = f"http://{at(servers[0])}/orders?step=10&{PATIENT}&{listed.parameter}"
    with snowmint.stream(url) as stream:
        for _ in range(rounds(3)):
            new = serve()
            listed.put(map(name, [servers[1], new]))
            asked_for(stream, new)
            servers[0].kill()
            stream.read_on(A_FEW_RANGES)
            servers = [servers[1], new]
        done = stream.kill()
    assert not done.errors, done
    assert_rising(done.ids)


def test_a_list_that_becomes_empty_leaves_the_last_one(snowmint, serve, listed):
    first, second = serve(), serve()
    listed.put([name(first), name(second)])
    url = f"http://localhost:1/orders?step=10&{PATIENT}&{listed.parameter}"
    with snowmint.stream(url) as stream:
        stream.read_on(A_FEW_RANGES)
        for wrong in ([], [name(first), "what"]):
            told = stream.said.count(KEPT)
            listed.put(wrong)
            stream.read_until(lambda: stream.said.count(KEPT) > told, A_FEW_RANGES)
            stream.read_on(A_FEW_RANGES)
            listed.put([name(second)])
            stream.read_until(lambda: stream.said.count(BACK) > told, A_FEW_RANGES)
        first.kill()
        stream.read_on(A_FEW_RANGES)
        done = stream.kill()
    assert "error[" not in done.errors, done
    assert done.errors.count(KEPT) == 2, done
    assert_rising(done.ids)


def test_the_lines_of_the_guide(snowmint, serve):
    """The last one has a list that is there."""
    text = (REPOSITORY / "examples/serve/clients.sh").read_text()
    servers = [serve() for _ in range(3)]
    Listed(snowmint).put(map(name, servers))
    lines = text.splitlines()
    assert len(lines) == 3
    for line in lines:
        for host, one in zip("abc", servers):
            line = line.replace(f"{host}:8064", name(one))
        done = snowmint.shell(line).must_succeed()
        assert len(done.ids) == 1 and not done.errors, done


def test_all_addresses_of_a_name(snowmint, serve):
    (port,) = free_ports(1)
    first = serve(http=f"127.0.0.2:{port}")
    records = {"ids.test": [address("127.0.0.2")]}
    with NameServer(records) as names:
        url = f"http://ids.test:{port}/orders?step=10&{PATIENT}&servers=dns&name_server={names.at}"
        with snowmint.stream(url) as stream:
            stream.read_on(A_FEW_RANGES)
            second = serve(http=f"127.0.0.3:{port}")
            records["ids.test"] = [address("127.0.0.2"), address("127.0.0.3")]
            asked_for(stream, second)
            records["ids.test"] = [address("127.0.0.3")]
            first.kill()
            stream.read_on(A_FEW_RANGES)
            del records["ids.test"]
            stream.read_until(lambda: KEPT in stream.said, A_FEW_RANGES)
            done = stream.kill()
    assert "error[" not in done.errors and done.errors.count(KEPT) == 1, done
    assert_rising(done.ids)


@pytest.mark.parametrize("is_long", [False, True])
def test_records_of_a_service(snowmint, serve, is_long):
    servers = [serve() for _ in range(3)]
    ports = [one.http[1] for one in servers]
    service_name = "_snowmint._tcp.ids.test"
    records = {
        service_name: [service(1, ports[0], "a.test"), service(2, ports[1], "b.test")],
        "a.test": [address("127.0.0.1")],
        "b.test": [address("127.0.0.1")],
    }
    with NameServer(records, is_long) as names:
        url = f"http://{service_name}/orders?step=10&{PATIENT}&servers=srv&name_server={names.at}"
        with snowmint.stream(url) as stream:
            stream.read_on(A_FEW_RANGES)
            assert answers(servers[1]) <= 1, "it is for later, and says which key space it is of"
            servers[0].kill()
            asked_for(stream, servers[1])
            records[service_name] = [service(1, ports[2], "b.test"), service(0, 0, "")]
            asked_for(stream, servers[2])
            done = stream.kill()
        assert "error[" not in done.errors, done
        assert_rising(done.ids)
        assert any(is_truncated for *_, is_truncated in names.asked) == is_long
        none = f"http://_none._tcp.test/orders?servers=srv&name_server={names.at}&wait_ms=2000"
        done = snowmint.run("id", none).must_refuse(NO_ID, STORE)
        assert "no ID service is known: the list of servers: it is empty" in done.errors, done


def test_a_wrong_list_of_servers_is_refused(snowmint, serve):
    servers = at(serve())
    (snowmint.directory / "directory").mkdir()
    for parameters, words in (
        ("servers=nonsense", "file:PATH, dns, srv or etcd://"),
        ("servers=file:", "names no file"),
        ("servers=etcd://localhost:2379", "a prefix of its own"),
        ("servers=etcd:nowhere/prefix", "etcd: names no server"),
        ("servers=srv", "write the names without"),
        ("servers=dns&name_server=localhost", "an address with its port"),
        ("servers=file:servers&name_server=127.0.0.1:53", "for lists of names alone"),
    ):
        done = snowmint.run("id", f"http://{servers}/orders?{parameters}")
        done.must_refuse(INPUT, saying=words)
    for file, words in (
        ("none", "none cannot be read"),
        ("directory", "directory is no file"),
    ):
        # Those that the URL names are asked until there is a list.
        done = snowmint.run("id", f"http://{servers}/orders?servers=file:{file}").must_succeed()
        assert KEPT in done.errors and words in done.errors, done


def test_a_slow_server_is_asked_last(snowmint, serve, create_token):
    """It takes 2 s for an answer: the others' come first, from the second call on."""
    # Steps that do not grow: each few numbers are one more answer.
    token = create_token("few", "--sources", "*", "--leases", "--max-count", 25)
    servers = [serve("--tokens-file", "tokens.toml") for _ in range(2)]
    with Slow(*servers[0].http, 2) as slow:
        url = f"http://127.0.0.1:{slow.port},{at(servers[1])}/orders?token={token}&{PATIENT}"

        def is_judged():
            # Many times as many answers of the other, however long they take; one that is asked in
            # turn comes to too many calls before. A busy machine may have the other one late, too.
            return slow.asked > 30 or answers(servers[1]) > 200 + 10 * slow.asked

        with snowmint.stream(url) as stream:
            eventually(lambda: slow.asked)
            eventually(is_judged)
            done = stream.kill()
        assert slow.asked <= 30, "it is asked again and again"
    assert "error[" not in done.errors, done
    assert_rising(done.ids)


def test_all_servers_are_slow(snowmint, serve):
    """Then they are waited for."""
    with Slow(*serve().http, 1) as one, Slow(*serve().http, 1) as other:
        servers = f"127.0.0.1:{one.port},127.0.0.1:{other.port}"
        assert len(snowmint.mint(f"http://{servers}/orders?{PATIENT}", "-n", 3)) == 3


def test_a_silent_server_takes_no_numbers_from_anybody(snowmint, serve):
    servers = [serve(), serve(), serve()]
    url = f"http://{at(*servers)}/orders?step=10&{PATIENT}"
    with snowmint.stream(url) as stream, silent(servers[0]):
        stream.read_on(A_FEW_RANGES)
        servers[1].kill()
        stream.read_on(A_FEW_RANGES)
        done = stream.kill()
    assert "error[" not in done.errors, done
    assert_rising(done.ids)


def test_a_server_of_another_key_space_than_the_url_s_is_named(snowmint, serve, start_service):
    """Its word that there is no such tag is no matter."""
    snowmint.run("segment", "create", "sqlite:other.db?create=true", "bills").must_succeed()
    stranger = start_service("--source", "a=uuid:", "--leases-store", "sqlite:other.db")
    good = serve()
    url = f"http://{at(stranger, good)}/orders?key_space={key_space(good)}&{PATIENT}"
    named = f"the ID service at {at(stranger)}: this is the key space {key_space(stranger)}"
    minted, told = [], ""
    while f"{at(stranger)} is refused" not in told:
        done = snowmint.run("id", url, "-n", 5).must_succeed()
        minted.append(done.ids)
        told = done.errors
    assert named in told
    assert_disjoint(*minted)


# However fast numbers are taken, they do not come so far.
ABOVE = 10**15


def test_a_server_on_another_database_is_named(snowmint, postgres, start_service):
    """Its numbers are above, and tell nothing; its key space does."""
    with Server("postgres") as own:
        other = own.url
        for store, start in ((postgres, 1), (other, ABOVE)):
            join = "&" if "?" in store else "?"
            create = ("segment", "create", f"{store}{join}create=true", "orders")
            snowmint.run(*create, "--step", 10, "--start", start).must_succeed()
        good, bad = (
            start_service("--source", "a=uuid:", "--leases-store", store)
            for store in (postgres, other)
        )
        again_ = ("--source", "a=uuid:", "--leases-store", other)
        bad.kill()
        with snowmint.stream(f"http://{at(good, bad)}/orders?step=10&{PATIENT}") as stream:
            stream.read_on(A_FEW_RANGES)
            with again(snowmint, bad, *again_):
                stream.read_until(lambda: f"{at(bad)} is refused" in stream.said, A_FEW_RANGES)
                done = stream.kill()
    assert f"at {at(bad)}: this is the key space" in done.errors and max(done.ids) < ABOVE, done
    assert_rising(done.ids)


@contextmanager
def presenting(certificate, key, address_):
    """A server that shows a certificate there, and is not asked if that is not trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with closing(socket.create_server(address_)) as listener:

        def accept():
            with suppress(OSError):  # the listener was closed
                while True:
                    client, _ = listener.accept()
                    with client, suppress(OSError):
                        context.wrap_socket(client, server_side=True)

        threading.Thread(target=accept, daemon=True).start()
        yield


def test_a_certificate_that_ends_meanwhile_is_told(snowmint, tags, start_service, tmp_path):
    authority = Authority(tmp_path / "authority")
    certificate, key = authority.issue("server")
    ended = authority.issue("ended", days=-1)
    secured = (*ORDERS, *LEASES, "--tls-certificate", certificate, "--tls-key", key)
    context = authority.context()
    first, second = (start_service(*secured, tls=context) for _ in range(2))
    url = f"https://{at(first, second)}/orders?step=10&{PATIENT}&cafile={authority.file}"
    with snowmint.stream(url) as stream:
        asked_for(stream, second)
        second.kill()
        with presenting(*ended, second.http):
            stream.read_until(lambda: f"{at(second)} is refused" in stream.said, A_FEW_RANGES)
            stream.read_on(A_FEW_RANGES)
            done = stream.kill()
    assert "renew it" in done.errors and done.errors.count("is refused") == 1, done
    assert_rising(done.ids)


def test_a_token_may_have_less_than_a_step_grows_to(snowmint, serve, create_token):
    """The faster its numbers are used up, the more a client asks for: it gets what it may have."""
    token = create_token("few", "--sources", "*", "--leases", "--max-count", 25)
    service_ = serve("--tokens-file", "tokens.toml")
    url = f"http://{at(service_)}/orders?token={token}&{PATIENT}"
    ids = snowmint.mint(url, "-n", 5_000)
    assert len(ids) == 5_000
    assert_rising(ids)
