"""A central cluster: services on one database behind nginx and behind HAProxy, as they are shipped."""

import os
import socket
import time
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest
import yaml
from driver import HANG_S, assert_disjoint, assert_rising, rounds, seeded
from loads import HttpLoad, RespLoad
from proxies import SHIPPED, Proxy, free_ports
from services import Answer, Service, eventually


class Cluster:
    """Three services on ports that stay theirs."""

    def __init__(self, snowmint, url, stack):
        self.snowmint, self.stack = snowmint, stack
        self.sources = ("--source", f"ids=snowflake+{url}&layout=twitter")
        self.sources += ("--source", f"orders=segment+{url}&tag=orders&step=100")
        self.sources += ("--leases-store", url)
        ports = free_ports(8)
        # The fourth is for a test that adds it.
        self.addresses = list(zip(ports[:4], ports[4:]))
        self.services = [self.begin(at) for at in range(3)]

    def begin(self, at):
        http, resp = self.addresses[at]
        more = {"http": f"127.0.0.1:{http}", "resp": f"127.0.0.1:{resp}"}
        return self.stack.enter_context(Service(self.snowmint, *self.sources, *DRAINS, **more))


# Longer than a proxy takes to see that a server is not ready.
DRAINS = ("--timeouts-drain-ms", "1500", "--http-get", "true")


class Front:
    """What a load asks: the proxy, as if it were a service."""

    def __init__(self, proxy):
        self.http, self.resp = proxy.http, proxy.resp

    def connect(self):
        return HTTPConnection(*self.http, timeout=HANG_S)

    def open(self, address):
        return socket.create_connection(address, HANG_S)


@pytest.fixture
def cluster(snowmint, postgres):
    snowmint.run("segment", "create", f"{postgres}&create=true", "orders").must_succeed()
    with ExitStack() as stack:
        yield Cluster(snowmint, postgres, stack)


@pytest.fixture
def proxy(cluster, tmp_path):
    with ExitStack() as stack:
        def start(kind, extra=""):
            return stack.enter_context(Proxy(tmp_path, kind, cluster.addresses[:3], extra))

        yield start


@pytest.mark.parametrize("kind", ["nginx", "haproxy"])
def test_no_call_fails_whichever_server_does(cluster, proxy, kind):
    """Servers are killed and stopped one after the other. SNOWMINT_E2E_ROUNDS=100 is the long form."""
    chance = seeded(f"cluster {kind}")
    front = Front(proxy(kind))
    loads = [HttpLoad(front, clients=4)]
    try:
        for _ in range(rounds(4)):
            more = 2_000 + min(len(loads[0].ids), len(loads[0].orders))
            loads[0].until(more)
            at = chance.randrange(3)
            service = cluster.services[at]
            service.kill() if chance.random() < 0.5 else service.stop()
            cluster.services[at] = cluster.begin(at)
            eventually(lambda: cluster.services[at].ask("GET", "/readyz").status == 200)
    finally:
        for load in loads:
            load.end()
    assert not loads[0].refused and not loads[0].broken, (loads[0].refused, loads[0].broken)
    assert_disjoint(loads[0].ids)
    assert_disjoint(loads[0].orders)


SECONDS = float(os.environ.get("SNOWMINT_E2E_CLUSTER_S", "0"))
# How often one fails in the long form.
EVERY_S = 5
# More than a pipe and the ranges at hand hold.
A_FEW_RANGES = 70_000


class Direct:
    """Clients that ask the servers of a list in a file, and mint themselves."""

    def __init__(self, snowmint, stack, cluster):
        self.cluster, self.file = cluster, snowmint.directory / "servers"
        self.put(range(3))
        host = f"127.0.0.1:{cluster.addresses[0][0]}"
        more = f"servers=file:{self.file}&wait_ms=60000"
        urls = [f"http://{host}/orders?step=1000&{more}"] * 2
        urls += [f"snowflake+http://{host}?slab_ms=2000&{more}"] * 2
        self.streams = [stack.enter_context(snowmint.stream(url)) for url in urls]

    def put(self, servers):
        new = self.file.with_suffix(".new")
        addresses = (self.cluster.addresses[at][0] for at in servers)
        new.write_text("".join(f"127.0.0.1:{port}\n" for port in addresses))
        new.rename(self.file)

    def read(self):
        for stream in self.streams:
            stream.read_on(A_FEW_RANGES)
            assert stream.process.poll() is None, stream.said

    def end(self):
        """What each minted: no call has failed."""
        ended = [stream.kill() for stream in self.streams]
        for done in ended:
            assert "error[" not in done.errors, done.errors
            assert_rising(done.ids)
        return [done.ids for done in ended]


def test_clients_that_route_beside_a_proxy(snowmint, cluster, proxy):
    """One server after the other is killed or restarted, and a fourth one comes and goes.
    SNOWMINT_E2E_CLUSTER_S=60 is the long form."""
    chance = seeded("cluster direct")
    front, begun, events = Front(proxy("nginx")), time.monotonic(), 0
    with ExitStack() as stack:
        load = HttpLoad(front, clients=4)
        try:
            direct = Direct(snowmint, stack, cluster)
            while events < rounds(2) or time.monotonic() - begun < SECONDS:
                fourth = disturb(cluster, direct, chance, events)
                direct.read()
                load.until(500 + min(len(load.ids), len(load.orders)))
                if fourth:
                    direct.put(range(3))
                    direct.read()
                    fourth.kill()
                events += 1
                while SECONDS and time.monotonic() - begun < events * EVERY_S:
                    direct.read()
            minted = direct.end()
        finally:
            load.end()
    assert not load.refused and not load.broken, (load.refused, load.broken)
    assert_disjoint(load.orders, *minted[:2])
    assert_disjoint(load.ids, *minted[2:])
    lasted, counts = time.monotonic() - begun, [len(ids) for ids in minted]
    print(f"{events} events in {lasted:.0f} s: {len(load.ids) + len(load.orders)}, {counts}")


def disturb(cluster, direct, chance, event):
    """Ends a server and begins it anew; every other time there is a fourth one, which is returned."""
    fourth = cluster.begin(3) if event % 2 else None
    if fourth:
        direct.put(range(4))
    at = chance.randrange(3)
    service = cluster.services[at]
    service.kill() if chance.random() < 0.7 else service.stop()
    direct.read()
    cluster.services[at] = cluster.begin(at)
    return fourth


def test_the_protocol_of_redis_behind_a_proxy(cluster, proxy):
    """Connections end with their server, and new ones are to another."""
    front = Front(proxy("haproxy"))
    before = RespLoad(front, clients=6).until(500)
    cluster.services[0].kill()
    after = RespLoad(front, clients=6).until(500)
    assert not after.broken, after.broken
    for load in (before, after):
        assert not load.end().refused, load.refused
    assert_disjoint(before.ids, after.ids)
    assert_disjoint(before.orders, after.orders)


def test_nothing_is_cached_whatever_the_proxy_is_told(cluster, proxy):
    front = Front(proxy("nginx", CACHES))
    connection = front.connect()
    taken = []
    for _ in range(20):
        connection.request("GET", "/v1/ids/orders?count=1")
        taken += Answer(connection.getresponse()).ids
    assert_disjoint(taken)
    # What may be kept is: the cache is one.
    answers = []
    for _ in range(3):
        connection.request("GET", "/kept")
        answers.append(Answer(connection.getresponse()).headers["x-cache"])
    assert answers[1:] == ["HIT", "HIT"], answers
    connection.close()


# Of a server that caches whatever allows it.
CACHES = """
    location ~ ^/v1/ {
        proxy_pass http://snowmint;
        proxy_cache all;
        proxy_cache_key $uri;
        proxy_cache_valid any 1h;
    }
    location = /kept {
        proxy_pass http://snowmint/healthz;
        proxy_cache all;
        proxy_ignore_headers Cache-Control Vary;
        proxy_cache_valid any 1h;
        add_header X-Cache $upstream_cache_status;
    }
"""


def test_the_containers_begin_as_they_say(snowmint):
    composed = yaml.safe_load((SHIPPED / "compose.yaml").read_text())["services"]
    assert composed["a"] == composed["b"] == composed["c"]
    own = composed["a"]["environment"]
    printed = snowmint.run("serve", "--print-config", environment=own).must_succeed().output
    assert "@database/ids?tag=orders" in printed and "drain_ms = 2000" in printed
