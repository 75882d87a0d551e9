"""Bodies of requests that nobody reads: the connection goes on behind them."""

import functools
import socket

import pytest

from services import Answer, read_all

SOURCES = ("--source", "fixed=snowflake:?worker_id=1")
LEASES = ("--leases-store", "sqlite:ids.db?create=true")
BODY = b"{}"


@pytest.fixture
def serve(start_service):
    return functools.partial(start_service, *SOURCES, *LEASES)


def expecting(method, path, length):
    lines = [f"{method} {path} HTTP/1.1", "Host: a", "Expect: 100-continue", f"Content-Length: {length}"]
    return "\r\n".join([*lines, "", ""]).encode()


def answer_of(connection):
    """The head of an answer, and its body."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = connection.recv(1)
        assert byte, head
        head += byte
    lines = head.decode().lower().split("\r\n")
    length = next((line for line in lines if line.startswith("content-length: ")), "0 0")
    body = b""
    while len(body) < int(length.split()[1]):
        body += connection.recv(1 << 16)
    return lines, body


PATHS = [
    ("POST", "/v1/ids/fixed"),
    ("POST", "/v1/ids/none"),
    ("GET", "/v1/ids/fixed"),
    ("POST", "/v1/decode/1"),
    ("POST", "/nothing/here"),
    ("GET", "/healthz"),
    # These read a body, and refuse one of another type.
    ("POST", "/v1/workers/acquire"),
    ("GET", "/v1/workers/acquire"),
    ("OPTIONS", "/v1/ids/fixed"),
]


@pytest.mark.parametrize("method, path", PATHS)
def test_a_body_is_waited_for(serve, method, path):
    """Sent behind its headers, as most clients do: here once the service says that it waits."""
    service = serve()
    with service.raw(service.http) as connection:
        for _ in range(2):
            connection.sendall(expecting(method, path, len(BODY)))
            lines, _ = answer_of(connection)
            assert lines[0] == "http/1.1 100 continue", lines
            connection.sendall(BODY)
            lines, _ = answer_of(connection)
            assert "connection: close" not in lines, lines
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer_of(connection)[1] == b"ok\n"


@pytest.mark.parametrize("chunked", [False, True])
def test_a_client_keeps_its_connection(serve, chunked):
    service = serve()
    connection = service.connect()
    for _ in range(20):
        connection.request("POST", "/v1/ids/none", iter([BODY]) if chunked else BODY)
        assert Answer(connection.getresponse()).status in (400, 404)
        # Another connection would be another one's.
        own = connection.sock
        assert own
        connection.request("POST", "/v1/ids/fixed")
        assert len(Answer(connection.getresponse()).ids) == 1
        assert connection.sock is own
    connection.close()


def test_operators_keep_their_connection(serve):
    service = serve()
    with service.raw(service.admin) as connection:
        for method, path in (("POST", "/admin/reload"), ("GET", "/admin/config"), ("POST", "/none")):
            head = expecting(method, path, len(BODY)).replace(b"Host: a", b"Host: localhost")
            connection.sendall(head)
            assert answer_of(connection)[0][0] == "http/1.1 100 continue"
            connection.sendall(BODY)
            assert "connection: close" not in answer_of(connection)[0]


@pytest.mark.parametrize("path", ["/v1/sequences/fixed/1", "/nothing", "/v1/public-ids/order/encode"])
def test_one_that_is_too_long_is_refused_and_the_end_told(serve, path):
    service = serve("--limits-body-bytes", "300")
    with service.raw(service.http) as connection:
        connection.sendall(expecting("POST", path, 300))
        assert answer_of(connection)[0][0] == "http/1.1 100 continue"
        connection.sendall(b" " * 300)
        assert "connection: close" not in answer_of(connection)[0]
        # It is not asked for.
        connection.sendall(expecting("POST", path, 301))
        lines, body = answer_of(connection)
        assert lines[0].startswith("http/1.1 4") and "connection: close" in lines, lines
        assert b"300 bytes" in body or b"nothing at" in body, body
        assert read_all(connection) == b""


def test_one_without_a_length_is_as_long(serve):
    service = serve("--limits-body-bytes", "300")
    for length, status in ((300, 404), (301, 413)):
        answer = service.ask("POST", "/nothing", iter([b" " * 100, b" " * (length - 100)]))
        assert answer.status == status, answer
        assert ("connection" in answer.headers) == (status == 413), answer


def test_one_that_does_not_come_is_not_waited_for(serve):
    service = serve("--timeouts-request-ms", "1000")
    with service.raw(service.http) as connection:
        connection.sendall(expecting("POST", "/nothing", 2))
        assert answer_of(connection)[0][0] == "http/1.1 100 continue"
        lines, body = answer_of(connection)
        assert lines[0].startswith("http/1.1 408 ") and "connection: close" in lines, lines
        assert b"did not come in time" in body
        assert read_all(connection) == b""


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize("path", ["/v1/ids/fixed", "/nothing", "/v1/workers/acquire"])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_client_that_writes_its_whole_body_before_it_reads_is_answered(serve, path, chunked):
    part = b" " * (1 << 20)
    body = iter([part] * 8) if chunked else part * 8
    answer = serve().ask("POST", path, body, JSON)
    assert answer.status in (404, 413), answer
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize("path", ["/v1/ids/fixed", "/v1/workers/acquire"])
def test_one_that_does_not_come_whole_is_a_bad_request(serve, path):
    service = serve()
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n".encode()
    for rest in (b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", b"Content-Length: 9\r\n\r\n{"):
        with service.raw(service.http) as connection:
            connection.sendall(head + rest)
            connection.shutdown(socket.SHUT_WR)
            said = read_all(connection)
            assert said.startswith(b"HTTP/1.1 400 ") and b"the body is broken off" in said, said


def test_a_request_to_a_proxy_is_refused(serve):
    service = serve()
    with service.raw(service.http) as connection:
        connection.sendall(b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n")
        assert b"this is no proxy" in answer_of(connection)[1]
