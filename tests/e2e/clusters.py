"""Three services on one database, a load on a proxy before them, and clients that route themselves."""

import signal
import socket
from http.client import HTTPConnection

from driver import HANG_S, assert_disjoint, assert_rising
from ports import free_ports
from services import Service, eventually

# Longer than a proxy takes to see that a server is not ready.
DRAINS = ("--timeouts-drain-ms", "1500", "--http-get", "true")


class Cluster:
    """Three services on ports that stay theirs."""

    def __init__(self, snowmint, url, stack, orders_rise=False):
        self.snowmint, self.stack = snowmint, stack
        # If the numbers of orders rise over all servers, the servers take turns, which the database has.
        self.ordered = ("--ordered-sources", "orders", "--ordered-store", url) if orders_rise else ()
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
        own = ("--ordered-address", f"http://127.0.0.1:{http}") if self.ordered else ()
        words = (*self.sources, *DRAINS, *self.ordered, *own)
        return self.stack.enter_context(Service(self.snowmint, *words, **more))

    def begin_again(self, at):
        """In the place of one that has ended; ready once this returns."""
        self.services[at] = self.begin(at)
        eventually(lambda: self.services[at].ask("GET", "/readyz").status == 200)


class Front:
    """The proxy, which a load asks as if it were a service."""

    def __init__(self, proxy):
        self.http, self.resp = proxy.http, proxy.resp

    def connect(self):
        return HTTPConnection(*self.http, timeout=HANG_S)

    def open(self, address):
        return socket.create_connection(address, HANG_S)


class Direct:
    """Clients that ask the servers of a list in a file, and mint themselves."""

    def __init__(self, snowmint, stack, cluster):
        self.snowmint, self.stack, self.cluster = snowmint, stack, cluster
        self.file = snowmint.directory / "servers"
        self.put(range(3))
        host = f"127.0.0.1:{cluster.addresses[0][0]}"
        more = f"servers=file:{self.file}&wait_ms=60000"
        self.orders = f"http://{host}/orders?step=1000&{more}"
        self.ids = f"snowflake+http://{host}?reserve_ms=2000&{more}"
        self.streams = []

    def begin(self, *command):
        """A program for each of both URLs, which it is given and mints from; the command unless named."""
        for url in (self.orders, self.ids):
            stream = self.snowmint.stream_of(*command, url) if command else self.snowmint.stream(url)
            self.streams.append(self.stack.enter_context(stream))

    def put(self, servers):
        new = self.file.with_suffix(".new")
        addresses = (self.cluster.addresses[at][0] for at in servers)
        new.write_text("".join(f"127.0.0.1:{port}\n" for port in addresses))
        new.rename(self.file)

    def read(self, count):
        """So many more IDs of each client."""
        for stream in self.streams:
            assert stream.read_on(count), (stream.command, stream.said)

    def end(self):
        """Returns what each minted, by orders and IDs: no call has failed, which would have ended it."""
        ended = [stream.kill() for stream in self.streams]
        minted = [done.ids for done in ended]
        for done, ids in zip(ended, minted):
            assert done.status == -signal.SIGKILL and "error[" not in done.errors, done
            assert_rising(ids)
        return minted[::2], minted[1::2]


def assert_none_failed(load, direct):
    """No call of either, and no number is there twice."""
    load.end()
    orders, ids = direct.end()
    assert not load.refused and not load.broken, (load.refused, load.broken)
    assert_disjoint(load.orders, *orders)
    assert_disjoint(load.ids, *ids)
    counts = [len(some) for pair in zip(orders, ids) for some in pair]
    return f"{len(load.ids) + len(load.orders):,} by the proxy, {sum(counts):,} by clients {counts}"
