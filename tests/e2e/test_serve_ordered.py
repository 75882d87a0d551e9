"""Ordered tags: numbers rise over all clients and servers, whoever of them dies, stops or starts."""

import os
import signal
import sqlite3
import threading
import time
from contextlib import ExitStack, closing

import pytest
from driver import assert_disjoint, rounds, seeded
from ports import free_port
from services import RespClient, Service, eventually

LEASE_MS = 1_000


class Cluster:
    """Servers of one ordered tag, with free ports that they are told before they begin."""

    def __init__(self, snowmint, url, stack):
        self.snowmint, self.url, self.stack = snowmint, url, stack
        separator = "&" if "?" in url else "?"
        self.source = f"orders=segment+{url}{separator}tag=orders&step=10"
        self.servers = []

    def begin(self, address=None, wait_ms=60_000, lease_ms=LEASE_MS):
        port = free_port()
        arguments = {
            "source": self.source,
            "ordered-sources": "orders",
            "ordered-store": self.url,
            "ordered-address": address or f"http://127.0.0.1:{port}",
            "ordered-lease-ms": lease_ms,
            "ordered-wait-ms": wait_ms,
            "event-loops": 2,
        }
        flags = [part for name, value in arguments.items() for part in (f"--{name}", value)]
        server = Service(self.snowmint, *flags, http=f"127.0.0.1:{port}")
        self.servers.append(self.stack.enter_context(server))
        return server

    def owner(self):
        """The server that has the turn, by its own word."""
        for server in self.servers:
            if owner_at(server) == f"http://127.0.0.1:{server.http[1]}":
                return server
        return None

    def settled(self):
        eventually(lambda: self.owner() is not None)
        return self.owner()


def owner_at(server):
    if server.process.poll() is not None:
        return None
    (source,) = server.ask("GET", "/v1/sources").json["sources"]
    return source["owner"]


class Client(threading.Thread):
    """Takes numbers of one server after the other, and notes when each was asked for and had."""

    def __init__(self, cluster, chance, protocol):
        super().__init__()
        self.cluster, self.chance, self.protocol = cluster, chance, protocol
        self.taken, self.is_over = [], threading.Event()
        self.start()

    def run(self):
        while not self.is_over.is_set():
            server = self.chance.choice(self.cluster.servers)
            asked = time.monotonic()
            try:
                numbers = self.protocol(server)
            except (OSError, EOFError):
                continue  # The server was killed, or is about to be.
            self.taken.append((asked, time.monotonic(), numbers))


def by_http(server):
    answer = server.ask("POST", "/v1/ids/orders?count=2")
    # A server that stops says so.
    return answer.ids if answer.status == 200 else []


def by_resp(server):
    with RespClient(server) as client:
        reply = client.ask("INCR", "orders")
        return [reply] if isinstance(reply, int) else []


def count_given(clients):
    """Returns how often any of them was given numbers."""
    return sum(bool(numbers) for client in clients for *_, numbers in client.taken)


def assert_ordered(clients):
    """Whatever was asked for once another was had is above it."""
    taken = sorted(one for client in clients for one in client.taken if one[2])
    assert_disjoint(*(numbers for _, _, numbers in taken))
    had = sorted((until, max(numbers)) for _, until, numbers in taken)
    at, largest = 0, 0
    for asked, _, numbers in taken:
        while had[at][0] < asked:
            largest = max(largest, had[at][1])
            at += 1
        assert min(numbers) > largest, f"{numbers} was asked for after {largest} was had"
    return len(taken)


@pytest.fixture(params=["sqlite", "postgres"])
def cluster(request, snowmint):
    url = "sqlite:ids.db" if request.param == "sqlite" else request.getfixturevalue("postgres")
    separator = "&" if "?" in url else "?"
    snowmint.run("segment", "create", f"{url}{separator}create=true", "orders").must_succeed()
    with ExitStack() as stack:
        yield Cluster(snowmint, url, stack)


def test_numbers_rise_whichever_server_is_asked(cluster):
    # A busy machine renews such a lease in time, so the turn stays where it is.
    first, second = cluster.begin(lease_ms=4_000), cluster.begin(lease_ms=4_000)
    cluster.settled()
    with RespClient(first) as one, RespClient(second) as other:
        taken = []
        for _ in range(30):
            taken += [one.ask("INCR", "orders"), other.ask("INCR", "orders")]
            taken += first.mint("orders", count=3).ids + second.mint("orders", count=3).ids
            taken += [one.ask("INCRBY", "orders", 2), other.ask("INCRBY", "orders", 2)]
        assert taken == sorted(set(taken))
    for server in (first, second):
        block = server.mint("orders", count=4, form="block").json["ranges"]
        assert len(block) == 1 and int(block[0]["end"]) - int(block[0]["start"]) == 4
        ranges = server.mint("orders", count=25, form="ranges").json["ranges"]
        assert sum(int(one["end"]) - int(one["start"]) for one in ranges) == 25
        assert server.ask("GET", "/readyz").status == 200
        server.mint("orders", count=0).must_refuse(400, "count_out_of_range")
    owners = {owner_at(server) for server in (first, second)}
    assert len(owners) == 1 and owners != {None}


@pytest.mark.parametrize(
    "cluster, end",
    # A process that is paused in a transaction keeps an SQLite file locked.
    [("sqlite", "kill"), ("sqlite", "stop"), *(("postgres", end) for end in ("kill", "pause"))],
    indirect=["cluster"],
)
def test_order_outlives_the_owner(cluster, end):
    """A server that has the turn is killed, stopped or paused for longer than its lease while
    clients ask all. SNOWMINT_E2E_ROUNDS=20 is the long form."""
    chance = seeded(f"ordered {end}")
    cluster.begin(), cluster.begin()
    cluster.settled()
    clients = [Client(cluster, chance, protocol) for protocol in (by_http, by_resp) * 3]
    try:
        for _ in range(rounds(2)):
            before = count_given(clients)
            eventually(lambda: count_given(clients) > before + 30)
            owner = cluster.settled()
            if end == "pause":
                owner.process.send_signal(signal.SIGSTOP)
                others = [server for server in cluster.servers if server is not owner]
                eventually(lambda: owner_at(others[0]) == address(others[0]))
                owner.process.send_signal(signal.SIGCONT)
            else:
                cluster.servers.remove(owner)
                owner.kill() if end == "kill" else owner.stop()
                cluster.begin()
            cluster.settled()
    finally:
        for client in clients:
            client.is_over.set()
        for client in clients:
            client.join()
    assert assert_ordered(clients) > 50


def address(server):
    return f"http://127.0.0.1:{server.http[1]}"


@pytest.mark.parametrize("cluster", ["postgres"], indirect=True)
@pytest.mark.parametrize("end", ["kill", "stop"])
def test_a_turn_that_changes_hands_makes_no_server_unready(cluster, end):
    """A proxy that asks `/readyz` would have nobody left, and no other source either."""
    for _ in range(3):
        cluster.begin()
    owner = cluster.settled()
    eventually(lambda: all(server.ask("GET", "/readyz").status == 200 for server in cluster.servers))
    cluster.servers.remove(owner)
    owner.kill() if end == "kill" else owner.stop()
    waiting = Client(cluster, seeded(f"unready {end}"), by_http)
    told = []

    def is_taken():
        told.extend(server.ask("GET", "/readyz") for server in cluster.servers)
        return cluster.owner() is not None and waiting.taken

    try:
        eventually(is_taken)
    finally:
        waiting.is_over.set()
        waiting.join()
    assert [answer.json for answer in told if answer.status != 200] == []


def test_a_stranger_at_the_owners_address_is_not_believed(cluster, snowmint):
    """A service of another file, which has a source of that name, begins where the owner was."""
    first, second = cluster.begin(), cluster.begin()
    owner = cluster.settled()
    other = second if owner is first else first
    before = [other.mint("orders").ids[0] for _ in range(20)]
    snowmint.run("segment", "create", "sqlite:other.db?create=true", "orders").must_succeed()
    owner.kill()
    cluster.servers.remove(owner)
    stranger = ("--source", "orders=segment+sqlite:other.db?tag=orders")
    with Service(snowmint, *stranger, http=f"127.0.0.1:{owner.http[1]}") as one:
        after = [other.mint("orders").ids[0] for _ in range(20)]
        assert one.mint("orders").ids == [1]
    assert before + after == sorted(set(before + after))


def test_a_server_that_cannot_ask_the_owner_is_not_ready(cluster):
    """The owner tells an address at which nobody is."""
    owner = cluster.begin(address="http://127.0.0.1:1")
    eventually(lambda: owner_at(owner) == "http://127.0.0.1:1")
    other = cluster.begin(wait_ms=500)
    eventually(lambda: owner_at(other) == "http://127.0.0.1:1")
    assert other.ask("GET", "/readyz").status == 200
    assert other.mint("orders").status == 503
    eventually(lambda: other.ask("GET", "/readyz").status == 503)
    why = other.ask("GET", "/readyz").json["sources"]["orders"]["why"]
    assert "http://127.0.0.1:1" in why
    assert other.said.count("cannot be asked") == 1
    metrics = other.ask_as_operator("GET", "/metrics").body.decode()
    assert 'snowmint_ordered_turn{source="orders"} 0' in metrics
    assert "snowmint_source_store_up{" not in metrics


def test_without_the_store_nobody_gives_what_is_not_in_order(snowmint):
    url = "sqlite:ids.db"
    snowmint.run("segment", "create", f"{url}?create=true", "orders").must_succeed()
    with ExitStack() as stack:
        cluster = Cluster(snowmint, url, stack)
        server = cluster.begin(wait_ms=500)
        cluster.settled()
        # A busy machine may be late to renew its turn.
        eventually(lambda: server.mint("orders").status == 200)
        os.rename(snowmint.directory / "ids.db", snowmint.directory / "away.db")
        eventually(lambda: owner_at(server) is None)
        eventually(lambda: server.ask("GET", "/readyz").status == 503)
        os.rename(snowmint.directory / "away.db", snowmint.directory / "ids.db")
        eventually(lambda: owner_at(server) is not None)
        eventually(lambda: server.mint("orders").status == 200)


def test_a_store_whose_clock_was_ahead_keeps_the_turn_from_nobody_whom_an_operator_helps(snowmint):
    """By a clock that was an hour ahead the turn is a server's that was killed, until it is released."""
    url = "sqlite:ids.db"
    snowmint.run("segment", "create", f"{url}?create=true", "orders").must_succeed()

    def was_ahead(*columns):
        changes = ", ".join(f"{column} = {column} + 3600000" for column in columns)
        with closing(sqlite3.connect(snowmint.directory / "ids.db")) as store, store:
            assert store.execute(f"UPDATE snowmint_worker SET {changes}").rowcount == 1

    with ExitStack() as stack:
        cluster = Cluster(snowmint, url, stack)
        cluster.begin()
        cluster.settled().kill()
        was_ahead("reserved_ms")
        # Nobody holds it: what was reserved is nothing to turns.
        second = cluster.begin()
        eventually(lambda: owner_at(second) == address(second))
        before = second.mint("orders").ids
        second.kill()
        was_ahead("reserved_ms", "expires_ms")
        third = cluster.begin()
        eventually(lambda: owner_at(third) == address(second))
        release = ("worker", "release", url, "0", "--realm", "turns of orders", "--yes")
        snowmint.run(*release).must_succeed()
        eventually(lambda: owner_at(third) == address(third))
        assert third.mint("orders").ids > before


@pytest.mark.parametrize(
    "changed, words",
    [
        ({"ordered-store": ""}, "ordered.store is not set"),
        ({"ordered-address": ""}, "ordered.address"),
        ({"ordered-address": "127.0.0.1:1"}, "ordered.address"),
        ({"ordered-address": "http://127.0.0.1:1/a"}, "ordered.address"),
        ({"ordered-sources": "none"}, "no source is called"),
        ({"ordered-sources": "uuids"}, "is no segment"),
        ({"ordered-sources": "orders,again"}, "are of one tag"),
    ],
)
def test_settings_that_would_not_keep_order_are_refused(snowmint, changed, words):
    settings = {
        "ordered-sources": "orders",
        "ordered-store": "sqlite:ids.db",
        "ordered-address": "http://127.0.0.1:1",
    }
    sources = {
        "orders": "segment+sqlite:ids.db?tag=orders",
        "again": "segment+sqlite:ids.db?step=5&tag=orders",
        "uuids": "uuid:",
    }
    arguments = [f"--{name}={value}" for name, value in {**settings, **changed}.items()]
    arguments += [f"--source={name}={url}" for name, url in sources.items()]
    snowmint.run("serve", "--print-config", *arguments[3:]).must_succeed()
    done = snowmint.run("serve", "--print-config", *arguments)
    assert done.status == 2 and words in done.errors, done


def test_a_server_with_the_address_of_another_is_told_so_once(snowmint):
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    with ExitStack() as stack:
        cluster = Cluster(snowmint, "sqlite:ids.db", stack)
        # However busy the machine is, it does not lose its turn.
        first = cluster.begin(lease_ms=60_000)
        eventually(lambda: cluster.owner() is first)
        second = cluster.begin(address=f"http://127.0.0.1:{first.http[1]}", wait_ms=0)
        told = "give each server an ordered.address of its own"
        eventually(lambda: told in second.said)
        time.sleep(1)  # some more of its rounds, of which there are four in the time of its lease
        assert told in second.ask("GET", "/readyz").json["sources"]["orders"]["why"]
        cluster.servers[1].mint("orders").must_refuse(503, "lease_unavailable")
        assert second.said.count(told) == 1, second.said
