"""`snowmint serve` on Unix sockets, for clients of its own machine."""

import functools
import socket
import stat
import subprocess

import pytest
import redis
from driver import HANG_S, assert_disjoint
from services import FREE, RespClient, eventually


@pytest.fixture
def serve(snowmint, start_service):
    """Starts services that listen at http.sock and resp.sock beside addresses of TCP."""
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    orders = ("--source", "orders=segment+sqlite:ids.db?tag=orders")
    listen = {kind: f"{FREE},unix:{kind}.sock" for kind in ("http", "resp")}
    return functools.partial(start_service, *orders, **listen)


def test_both_protocols_by_paths(snowmint, serve):
    service = serve()
    assert "listening on http+unix:http.sock\n" in service.said
    by_curl = ["curl", "-sS", "--unix-socket", "http.sock", "-X", "POST", "http://ids/v1/ids/orders"]
    done = subprocess.run(by_curl, cwd=snowmint.directory, capture_output=True, check=True)
    assert done.stdout == b'{"ids":["1"]}\n'
    with redis.Redis(unix_socket_path=str(snowmint.directory / "resp.sock")) as client:
        assert [client.incr("orders") for _ in range(1_000)] == list(range(2, 1_002))
    assert service.mint("orders").ids == [1_002]
    assert service.stop() == 0
    assert not (snowmint.directory / "http.sock").exists()
    assert not (snowmint.directory / "resp.sock").exists()


def test_a_killed_service_leaves_its_path_to_the_next_one(snowmint, serve):
    first = serve()
    path = snowmint.directory / "resp.sock"
    # One that lives keeps it.
    others = ("--http-listen", "", "--admin-listen", "")
    second = snowmint.run("serve", *others, "--resp-listen", "unix:resp.sock")
    assert second.status != 0 and "unix:resp.sock cannot be listened on" in second.errors, second
    with redis.Redis(unix_socket_path=str(path)) as client:
        before = [client.incr("orders") for _ in range(100)]
    first.kill()
    assert stat.S_ISSOCK(path.stat().st_mode)
    serve()
    with redis.Redis(unix_socket_path=str(path)) as client:
        assert_disjoint(before, [client.incr("orders") for _ in range(100)])


def test_servers_that_take_turns_at_a_path(serve, snowmint):
    """Each begins as soon as it can, while the one before it still stops."""
    path = snowmint.directory / "resp.sock"
    numbers = []
    for _ in range(10):
        service = serve()
        with redis.Redis(unix_socket_path=str(path)) as client:
            numbers.append([client.incr("orders") for _ in range(10)])
            service.process.terminate()
            eventually(lambda: not path.exists())
    assert_disjoint(*numbers)


def test_a_file_that_is_no_socket_is_left_alone(snowmint):
    path = snowmint.directory / "resp.sock"
    path.write_text("mine")
    others = ("--http-listen", "", "--admin-listen", "")
    done = snowmint.run("serve", *others, "--resp-listen", "unix:resp.sock")
    assert done.status != 0 and path.read_text() == "mine", done
    for wrong in ("unix:", "localhost:1"):
        done = snowmint.run("serve", "--http-listen", wrong)
        assert "error[invalid_parameter]" in done.errors, done


def test_a_connection_too_many_is_told_so(serve, snowmint):
    service = serve("--limits-connections", 1)
    with RespClient(service) as first, socket.socket(socket.AF_UNIX) as second:
        # Once it is answered it has the only place.
        assert first.ask("PING") == "PONG"
        second.settimeout(HANG_S)
        second.connect(str(snowmint.directory / "resp.sock"))
        assert second.recv(100).startswith(b"-ERR max number of clients")
