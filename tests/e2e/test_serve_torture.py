"""`snowmint serve` among clients that mean no good: others mint on, memory is bounded, it lives."""

import resource
import socket
import threading
from contextlib import ExitStack

import pytest
from driver import HANG_S, assert_rising
from services import Answer, RespClient, eventually, metric, read_all

MIB = 1 << 20
# 1,000 connections take 32 MiB of it; the rest is of half-open requests and the debug build.
MOST_MEMORY = 128 * MIB

HALF_OPEN = (
    b"POST /v1/ids/orders HTTP/1.1\r\nHost: a\r\nX-Half",
    b"POST /v1/workers/acquire HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Content-Length: 4000\r\n\r\n{",
    b"",
)
MALFORMED = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST /v1/ids/orders HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    b"POST /v1/ids/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
    b"POST /v1/ids/orders HTTP/9.9\r\n\r\n",
    b"\x00" * 10_000,
    b"*1000000000\r\n",
)


@pytest.fixture
def files():
    """As many files as the system allows, for as long as a test runs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def service(snowmint, start_service, files):
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    orders = "orders=segment+sqlite:ids.db?tag=orders"
    store = "sqlite:ids.db"
    # However slow the machine is, they stay open together.
    patient = ("--timeouts-request-ms", 600_000, "--timeouts-idle-ms", 600_000)
    return start_service("--source", orders, "--leases-store", store, *patient)


def memory(service):
    """Resident, in bytes."""
    with open(f"/proc/{service.process.pid}/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


def test_two_thousand_half_open_connections(service, files):
    count = 2_000
    assert files > 2 * count, "the system allows too few files"
    with ExitStack() as all_of_them, RespClient(service) as client:
        for at in range(count):
            address = service.http if at % 2 else service.resp
            connection = all_of_them.enter_context(socket.create_connection(address, HANG_S))
            connection.sendall(HALF_OPEN[at % len(HALF_OPEN)] if at % 2 else b"*2\r\n$4\r\nINCR\r\n")
        eventually(lambda: metric(service, "snowmint_connections") > count)
        numbers = [client.ask("INCR", "orders") for _ in range(1_000)]
        numbers += [service.mint("orders").ids[0] for _ in range(20)]
        assert_rising(numbers)
        assert memory(service) < MOST_MEMORY
    eventually(lambda: metric(service, "snowmint_connections") < 10)


def test_slow_readers_hold_no_answers(service):
    with ExitStack() as slow, RespClient(service) as client:
        for _ in range(50):
            connection = slow.enter_context(service.raw(service.http))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
            request = b"POST /v1/ids/orders?count=10000 HTTP/1.1\r\nHost: a\r\n\r\n"
            connection.sendall(request * 20)
        assert_rising([client.ask("INCR", "orders") for _ in range(1_000)])
        assert memory(service) < MOST_MEMORY


def test_replies_to_exec_are_not_kept(service):
    """The answer of this transaction is a hundred times as long as its request."""
    count, before = 60_000, memory(service)
    with service.raw(service.resp) as connection:
        connection.settimeout(HANG_S)
        sender = threading.Thread(target=connection.sendall, args=(b"MULTI\r\n" + b"INFO\r\n" * count,))
        sender.start()
        told = b""
        while told.count(b"\n") <= count:
            told += connection.recv(1 << 16)
        sender.join()
        connection.sendall(b"EXEC\r\n")
        assert connection.recv(7, socket.MSG_WAITALL) == b"*60000\r\n"[:7]
        assert memory(service) < before + 16 * MIB


def test_a_malformed_request_is_answered_or_ended(service):
    for address in (service.http, service.resp):
        for wrong in MALFORMED:
            with service.raw(address) as connection:
                try:
                    connection.sendall(wrong)
                    connection.shutdown(socket.SHUT_WR)
                    told = read_all(connection)
                except OSError as error:
                    assert not isinstance(error, TimeoutError), wrong[:60]
                    continue
                assert not told.startswith(b"HTTP/1.1 200"), wrong[:60]
    for count in (0, -1, 10**9, 10**20):
        assert service.mint("orders", count=count).status == 400
    assert service.mint("orders").ids == [1]


@pytest.mark.thorough
def test_a_million_unknown_names_leave_nothing_behind(service):
    before = memory(service)
    with service.raw(service.resp) as connection:
        connection.settimeout(HANG_S)
        for start in range(0, 1_000_000, 1_000):
            names = range(start, start + 1_000)
            connection.sendall(b"".join(b"INCR none:%d\r\n" % name for name in names))
            told = b""
            while told.count(b"\n") < 1_000:
                told += connection.recv(1 << 18)
            assert told.count(b"-ERR unknown_tag") == 1_000
    connection = service.connect()
    for name in range(1_000):
        connection.request("POST", f"/v1/ids/none:{name}")
        Answer(connection.getresponse()).must_refuse(404, "unknown_tag")
    connection.close()
    assert memory(service) < before + 16 * MIB
    assert service.mint("orders").ids == [1]
