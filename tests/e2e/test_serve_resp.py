"""`snowmint serve` over the protocol of Redis: commands, batches, limits, kills, its own tools."""

import functools
import re
import socket
import sqlite3
import subprocess
import threading
from contextlib import closing, suppress

import pytest
import redis
from driver import HANG_S, assert_disjoint, assert_rising, rounds
from loads import RespLoad
from services import Refused, RespClient, eventually, metric, read_all

SOURCES = (
    *("--source", "ids=snowflake+sqlite:ids.db?create=true"),
    *("--source", "orders=segment+sqlite:ids.db?tag=orders"),
)


@pytest.fixture
def serve(snowmint, start_service):
    """Starts services over a database with a tag; they end with the test."""
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    return functools.partial(start_service, *SOURCES)


def test_numbers_are_minted(serve):
    with RespClient(serve()) as client:
        assert [client.ask("INCR", "orders") for _ in range(3)] == [1, 2, 3]
        assert_rising([client.ask("incr", "ids") for _ in range(100)])
        # A block: its last number, and those before it are the client's.
        assert client.ask("INCRBY", "orders", 10) == 13
        assert client.ask("INCR", "orders") == 14
        large = client.ask("INCRBY", "orders", 2_500)
        assert large >= 2_514
        assert client.ask("INCR", "orders") == large + 1


def test_a_look_takes_nothing(serve):
    service = serve()
    with RespClient(service) as client:
        assert client.ask("GET", "orders") is None
        client.ask("INCR", "orders")
        service.mint("orders", count=4)
        assert [client.ask("GET", "orders") for _ in range(2)] == [b"5", b"5"]
        assert client.ask("MGET", "orders", "none") == [b"5", None]
        assert client.ask("INCR", "orders") == 6


def test_a_command_that_cannot_be_done_is_an_error(serve):
    with RespClient(serve("--limits-range-count", 100)) as client:
        assert client.refused("INCR", "none").startswith("ERR unknown_tag: no source is called")
        assert "wrong number of arguments" in client.refused("INCR")
        assert "unknown command 'LPUSH'" in client.refused("LPUSH", "orders", 1)
        for count in (0, -1, 101, 10**9):
            assert client.refused("INCRBY", "orders", count).startswith("ERR count_out_of_range: ")
        for count in (10**20, "+1", "01", ""):
            assert "not an integer" in client.refused("INCRBY", "orders", count)
            assert "not an integer" in client.refused("EXPIRE", "orders", count)
        assert client.refused("INCRBY", "ids", 2).startswith("ERR unsupported: ")
        for words in (("DECR", "orders"), ("SET", "orders", 1), ("DEL", "orders"), ("FLUSHALL",)):
            assert "numbers are minted and only rise" in client.refused(*words)
        assert client.refused("INCR", b"\xff\xfe").startswith("ERR invalid_tag: ")
        assert "\n" not in client.refused(b"a\r\n+OK\r\n")
        assert client.ask("INCR", "orders") == 1


def test_a_refused_command_is_counted_by_its_code(serve):
    service = serve()
    refused = {"unsupported": [("SET", "orders", 1), ("DEL", "orders"), ("INCRBY", "ids", 2)]}
    refused["unknown_tag"] = [("INCR", "none"), ("SETNX", "none", 0)]
    with RespClient(service) as client:
        for words in (words for several in refused.values() for words in several):
            assert client.refused(*words).startswith("ERR ")
    metrics = service.ask_as_operator("GET", "/metrics").body.decode()
    for code, several in refused.items():
        assert f'snowmint_errors_total{{code="{code}"}} {len(several)}\n' in metrics


def test_commands_that_clients_send_first_are_answered(serve):
    with RespClient(serve()) as client:
        assert client.ask("PING") == "PONG"
        assert client.ask("PING", "a") == client.ask("ECHO", "a") == b"a"
        hello = client.ask("HELLO", 2, "SETNAME", "me")
        assert dict(zip(hello[::2], hello[1::2]))[b"proto"] == 2
        for other in (4, 1, "two"):
            assert client.refused("HELLO", other).startswith("NOPROTO ")
        assert "cannot contain spaces" in client.refused("CLIENT", "SETNAME", "a b")
        assert "cannot contain spaces" in client.refused("HELLO", 2, "SETNAME", "a\r\nb")
        assert client.ask("CLIENT", "GETNAME") == b"me"
        assert client.ask("CLIENT", "SETINFO", "LIB-NAME", "x") == "OK"
        assert client.ask("CLIENT", "ID") > 0
        assert client.ask("SELECT", 0) == "OK"
        assert "out of range" in client.refused("SELECT", 1)
        assert "no password is set" in client.refused("AUTH", "secret")
        assert client.ask("COMMAND", "DOCS") == client.ask("CONFIG", "GET", "save") == []
        assert b"redis_version:" in client.ask("INFO")
        assert client.ask("RESET") == "RESET" and client.ask("CLIENT", "GETNAME") is None
        assert client.ask("QUIT") == "OK"
        assert client.socket.recv(1) == b""


def test_resp_3_is_spoken_where_it_is_asked_for(serve):
    with RespClient(serve()) as client:
        client.send("HELLO", 3)
        assert client.file.readline() == b"%7\r\n"
        hello = dict((client.reply(), client.reply()) for _ in range(7))
        assert (hello[b"server"], hello[b"proto"]) == (b"snowmint", 3)
        client.send("GET", "orders")
        assert client.file.readline() == b"_\r\n"
        client.send("CONFIG", "GET", "save")
        assert client.file.readline() == b"%0\r\n"
        assert client.ask("INCR", "orders") == 1
        # Whoever asks without a number is told what is spoken; RESET begins anew.
        client.send("HELLO")
        assert client.file.readline() == b"%7\r\n"
        [client.reply() for _ in range(14)]
        assert client.ask("RESET") == "RESET"
        assert client.ask("GET", "ids") is None


def test_a_source_is_a_key_without_an_end(serve):
    with RespClient(serve()) as client:
        assert client.ask("EXISTS", "orders", "none", "ids", "orders") == 3
        assert (client.ask("TYPE", "orders"), client.ask("TYPE", "none")) == ("string", "none")
        for command in ("TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME"):
            assert (client.ask(command, "orders"), client.ask(command, "none")) == (-1, -2)
        assert client.ask("INCR", "orders") == 1
        for command, when in (("EXPIRE", 0), ("PEXPIRE", 1), ("EXPIREAT", 1), ("PEXPIREAT", -1)):
            assert (client.ask(command, "orders", when), client.ask(command, "none", when)) == (1, 0)
            assert "not an integer" in client.refused(command, "orders", "soon")
        assert client.ask("PERSIST", "orders") == 0
        assert (client.ask("TTL", "orders"), client.ask("INCR", "orders")) == (-1, 2)
        assert client.ask("SETNX", "orders", 0) == 0
        assert client.ask("SET", "orders", 0, "NX") is None
        assert client.ask("SET", "orders", 0, "EX", 9, "nx") is None
        assert client.ask("SET", "orders", 0, "NX", "GET") == b"2"
        for words in (("SETNX", "none", 0), ("SET", "none", 0, "NX")):
            assert client.refused(*words).startswith("ERR unknown_tag: ")
        for words in (("SET", "orders", 0, "XX"), ("SETEX", "orders", 9, 0)):
            assert "numbers are minted and only rise" in client.refused(*words)
        assert client.ask("INCR", "orders") == 3


@pytest.mark.parametrize("protocol", [2, 3])
def test_redis_py_counts_as_it_does_on_redis(serve, protocol):
    host, port = serve().resp
    with redis.Redis(host=host, port=port, protocol=protocol) as client:
        assert [client.incr("orders") for _ in range(3)] == [1, 2, 3]
        assert client.incrby("orders", 10) == 13
        # Its pipeline is a transaction unless told otherwise.
        for transaction in (True, False):
            with client.pipeline(transaction=transaction) as batch:
                batch.incr("orders").expire("orders", 86_400).get("orders")
                number, is_set, last = batch.execute()
            assert is_set and number == int(last)
        assert client.set("orders", 0, nx=True) is None and not client.setnx("orders", 0)
        assert (client.exists("orders"), client.ttl("orders")) == (1, -1)
        assert client.mget("orders", "none") == [b"15", None]
        with pytest.raises(redis.ResponseError, match="only rise"):
            client.decr("orders")
        with pytest.raises(redis.ResponseError, match="unknown_tag"):
            client.incr("none")
        assert client.info()["role"] == "master"


def test_a_transaction_is_a_batch(serve):
    with RespClient(serve()) as client:
        assert client.ask("MULTI") == "OK"
        for _ in range(3):
            assert client.ask("INCR", "orders") == "QUEUED"
        assert client.ask("GET", "orders") == "QUEUED"
        assert client.ask("EXEC") == [1, 2, 3, b"3"]
        client.ask("MULTI")
        client.ask("INCR", "orders")
        assert client.ask("DISCARD") == "OK"
        client.ask("MULTI")
        client.ask("INCR", "orders")
        assert "unknown command" in client.refused("NONSENSE")
        assert client.refused("EXEC").startswith("EXECABORT ")
        client.ask("MULTI")
        client.ask("INCR", "none")
        client.ask("INCR", "orders")
        (failed, number) = client.ask("EXEC")
        assert isinstance(failed, Refused) and number == 4
        assert "nested" in (client.ask("MULTI"), client.refused("MULTI"))[1]
        client.ask("DISCARD")
        assert "without MULTI" in client.refused("EXEC")
        assert "without MULTI" in client.refused("DISCARD")


def test_the_memory_of_a_connection_is_bounded(serve):
    with RespClient(serve()) as client:
        assert "256 bytes at most" in client.refused("CLIENT", "SETNAME", "a" * 257)
        assert "256 bytes at most" in client.refused("HELLO", 2, "SETNAME", "a" * 257)
        assert client.ask("CLIENT", "SETNAME", "a" * 256) == "OK"
        client.ask("MULTI")
        for name in range(20):
            said = client.ask("INCR", f"{name:02}" * 2_500)
            if said != "QUEUED":
                break
        assert "too many commands in MULTI" in str(said) and 10 < name < 15, (name, said)
        assert client.refused("EXEC").startswith("EXECABORT ")
        # The same again and again takes no room.
        words = b"*2\r\n$4\r\nINCR\r\n$6\r\norders\r\n"
        client.socket.sendall(b"MULTI\r\n" + words * 5_000 + b"EXEC\r\n")
        assert [client.reply() for _ in range(5_001)] == ["OK"] + ["QUEUED"] * 5_000
        assert_rising(client.reply())


@pytest.fixture
def lock(snowmint, serve):
    """A connection that can keep others from the store, whose file is there."""
    with closing(sqlite3.connect(snowmint.directory / "ids.db", isolation_level=None)) as lock:
        yield lock


def locked_out(serve, lock, wait_ms):
    """A service that cannot have a range, and waits so long."""
    service = serve("--source", f"slow=segment+sqlite:ids.db?tag=orders&wait_ms={wait_ms}")
    lock.execute("BEGIN EXCLUSIVE")
    return service


HOUR_MS = 3_600_000


def test_an_answer_waits_for_no_later_command_of_its_pipeline(serve, lock):
    """A pipeline and a transaction of which one command waits for the store."""
    service = locked_out(serve, lock, HOUR_MS)
    with RespClient(service) as line, RespClient(service) as transaction:
        line.socket.sendall(b"PING\r\nINCR slow\r\nPING\r\n")
        transaction.socket.sendall(b"MULTI\r\nPING\r\nINCR slow\r\nEXEC\r\n")
        assert line.reply() == "PONG"
        said = [transaction.file.readline() for _ in range(5)]
        assert said == [b"+OK\r\n", b"+QUEUED\r\n", b"+QUEUED\r\n", b"*2\r\n", b"+PONG\r\n"]
        lock.execute("ROLLBACK")
        assert {line.reply(), transaction.reply()} == {1, 2}
        assert line.reply() == "PONG"


def test_nobody_waits_for_a_client_who_has_gone(serve, lock):
    service = locked_out(serve, lock, HOUR_MS)
    for words in (b"INCR slow\r\n" * 9, b"MULTI\r\n" + b"INCR slow\r\n" * 9 + b"EXEC\r\n"):
        with service.raw(service.resp) as connection:
            connection.sendall(b"PING\r\n" + words)
            assert connection.recv(7) == b"+PONG\r\n"
        eventually(lambda: metric(service, "snowmint_connections") == 1)


@pytest.mark.parametrize("begin, end", [(b"", b""), (b"MULTI\r\n", b"EXEC\r\n")])
def test_commands_that_come_together_wait_together(serve, lock, begin, end):
    """One by one they would take longer than any test may."""
    service = locked_out(serve, lock, 1_000)
    with RespClient(service) as client:
        client.socket.sendall(begin + b"INCR slow\r\n" * 500 + end)
        if begin:
            assert [client.reply() for _ in range(501)] == ["OK"] + ["QUEUED"] * 500
        replies = client.reply() if begin else [client.reply() for _ in range(500)]
        assert len(replies) == 500
        assert all(re.match("ERR (store_locked|wait_timeout): ", str(one)) for one in replies)
        lock.execute("ROLLBACK")
        eventually(lambda: client.ask("INCR", "slow") == 1)


def test_a_client_that_closes_its_side_alone_is_answered(serve):
    service = serve()
    with service.raw(service.resp) as connection:
        connection.sendall(b"INCR orders\r\n")
        connection.shutdown(socket.SHUT_WR)
        assert re.fullmatch(rb":\d+\r\n", read_all(connection))


def test_pipelines_and_lines(serve):
    service = serve()
    with service.raw(service.resp) as connection:
        sender = threading.Thread(target=connection.sendall, args=(b"INCR orders\r\n" * 50_000,))
        sender.start()
        numbers = b""
        while numbers.count(b"\n") < 50_000:
            numbers += connection.recv(1 << 16)
        sender.join()
    assert [int(line[1:]) for line in numbers.splitlines()] == list(range(1, 50_001))


def test_commands_in_pieces(serve):
    with RespClient(serve()) as client:
        for byte in b"*2\r\n$4\r\nINCR\r\n$6\r\norders\r\nPING\r\n":
            client.socket.sendall(bytes([byte]))
        assert (client.reply(), client.reply()) == (1, "PONG")


def test_bytes_that_are_no_command_end_the_connection(serve):
    service = serve()
    for wrong in (b'INCR "orders"\r\n', b"INCR 'orders\r\n", b"*1\r\n:1\r\n", b"*-5\r\n", b"*1\r\n$99999999\r\n", b"a" * 70_000):
        with service.raw(service.resp) as connection:
            connection.sendall(b"PING\r\n" + wrong)
            assert read_all(connection).startswith(b"+PONG\r\n-ERR Protocol error: "), wrong[:20]
    with RespClient(service) as client:
        assert client.ask("INCR", "orders") == 1


def test_silent_and_slow_connections_end(serve):
    service = serve("--timeouts-request-ms", 200, "--resp-idle-ms", 400)
    silent, slow = service.raw(service.resp), service.raw(service.resp)
    slow.sendall(b"*2\r\n$4\r\nINCR\r\n")
    for connection in (silent, slow):
        with connection:
            assert read_all(connection) == b""


def test_a_client_that_does_not_read_keeps_nobody_waiting(serve):
    service = serve("--event-loops", 1, "--timeouts-idle-ms", 500)
    # More than all buffers hold: it goes on until its connection is ended.
    much = (b"ECHO " + b"x" * 60_000 + b"\r\n") * 1_000

    def send():
        with suppress(OSError):
            deaf.sendall(much)

    with service.raw(service.resp) as deaf, RespClient(service) as client:
        sender = threading.Thread(target=send)
        sender.start()
        numbers = []
        while sender.is_alive() or len(numbers) < 100:
            numbers.append(client.ask("INCR", "orders"))
        assert_rising(numbers)
        # This connection and the one that asks are left.
        eventually(lambda: metric(service, "snowmint_connections") == 2)


def test_no_number_twice_over_kills_and_stops(serve):
    loads = []
    for one in range(rounds(4)):
        service = serve()
        loads.append(RespLoad(service).until(2_000))
        if one % 2:
            service.kill()
        else:
            assert service.stop() == 0
        assert not loads[-1].end().refused, loads[-1].refused
    assert_disjoint(*(load.ids for load in loads))
    assert_disjoint(*(load.orders for load in loads))


def test_the_tools_of_redis(serve):
    host, port = serve().resp
    address = ["-h", host, "-p", str(port)]

    def run(*command, input=None):
        return subprocess.run(
            command, input=input, capture_output=True, text=True, timeout=HANG_S, check=True
        ).stdout

    assert run("redis-cli", *address, "INCR", "orders") == "1\n"
    lines = "INCR orders\nPING\nINCRBY orders 3\n"
    assert run("redis-cli", *address, input=lines) == "2\nPONG\n5\n"
    assert "redis_version" in run("redis-cli", *address, "INFO")
    quick = ["-n", "5000", "-c", "8", "-q"]
    for extra in ([], ["-P", "16"]):
        output = run("redis-benchmark", *address, *quick, *extra, "INCR", "orders")
        assert re.search(r"requests per second", output), output
    # Now and then two loops pass over a number.
    assert int(run("redis-cli", *address, "GET", "orders")) >= 10_005
