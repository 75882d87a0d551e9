"""A service whose stores take their time to open."""

import signal
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection

from driver import HANG_S
from ports import free_ports
from services import Answer, eventually


@contextmanager
def starting(snowmint, wait_ms):
    """A service that waits for so long for a database that is silent; its HTTP and operators' ports."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = "127.0.0.1:{}".format(silent.getsockname()[1])
        late = f"late=segment+postgres://nobody@{place}/none?tag=orders&wait_ms={wait_ms}"
        ports = free_ports(3)
        http, resp, admin = (f"127.0.0.1:{port}" for port in ports)
        command = [snowmint.binary, "serve", "--source", late, "--source", "fixed=snowflake:?worker_id=1"]
        command += ["--http-listen", http, "--resp-listen", resp, "--admin-listen", admin]
        process = subprocess.Popen(command, cwd=snowmint.directory, env=snowmint.environment)
        try:
            yield process, ports
        finally:
            process.kill()
            process.wait(HANG_S)


def ask(port, method, path, headers=None):
    connection = HTTPConnection("127.0.0.1", port, timeout=HANG_S)
    try:
        connection.request(method, path, headers=headers or {})
        return Answer(connection.getresponse())
    finally:
        connection.close()


def is_there(port):
    try:
        return ask(port, "GET", "/healthz").status == 200
    except ConnectionRefusedError:
        return False


def test_a_service_tells_its_state_while_it_starts(snowmint):
    with starting(snowmint, HANG_S * 1_000) as (process, (http, _, admin)):
        for port in (http, admin):
            eventually(lambda: is_there(port))
            ready = ask(port, "GET", "/readyz")
            assert ready.status == 503 and "stopping_within_ms" not in ready.json, ready
            assert ready.json["sources"]["late"]["why"] == "it is being opened", ready
        state = ask(admin, "GET", "/admin/state").json
        assert (state["phase"], state["ready"]) == ("starting", False)
        refused = ask(admin, "POST", "/admin/reload").must_refuse(503, "store_unavailable")
        assert "the service starts" in refused.json["detail"] and refused.headers["retry-after"]
        assert ask(admin, "GET", "/").status == ask(admin, "GET", "/metrics").status == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(HANG_S) == 0


def test_a_request_for_ids_waits_until_the_service_has_started(snowmint):
    with starting(snowmint, 3_000) as (_, (http, _, admin)), ThreadPoolExecutor() as pool:
        eventually(lambda: is_there(http))
        minted = pool.submit(ask, http, "POST", "/v1/ids/fixed")
        assert len(minted.result().ids) == 1
        assert ask(admin, "GET", "/admin/state").json["phase"] == "serving"


def test_a_client_of_redis_is_told_to_ask_again(snowmint):
    """Without a place that is kept for it: what names no source is answered at once."""
    with starting(snowmint, HANG_S * 1_000) as (_, (http, resp, _)):
        eventually(lambda: is_there(http))
        with socket.create_connection(("127.0.0.1", resp), HANG_S) as client:
            said = client.makefile("rb")

            def told(line):
                client.sendall(line + b"\r\n")
                return said.readline().rstrip()

            assert told(b"PING") == b"+PONG"
            for line in (b"INCR fixed", b"INCRBY late 2", b"GET fixed", b"EXISTS late"):
                assert told(line).startswith(b"-LOADING "), line
            assert told(b"MULTI") == b"+OK"
            assert told(b"INCR fixed").startswith(b"-LOADING ")
            assert told(b"EXEC").startswith(b"-EXECABORT ")
            info = said.read(int(told(b"INFO")[1:]) + 2)
            assert b"\r\nloading:1\r\n" in info, info


def test_a_client_of_redis_mints_once_it_has_started(snowmint):
    with starting(snowmint, 100) as (_, (http, resp, _)):
        eventually(lambda: is_there(http))
        with socket.create_connection(("127.0.0.1", resp), HANG_S) as client:

            def minted():
                client.sendall(b"INCR fixed\r\n")
                return client.recv(1 << 10).startswith(b":")

            eventually(minted)


def test_the_store_of_leases_is_opened_beside_those_of_sources(snowmint):
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        socket.create_server(("127.0.0.1", 0)) as leasing,
    ):
        urls = [
            f"postgres://nobody@127.0.0.1:{one.getsockname()[1]}/none" for one in (silent, leasing)
        ]
        late = f"tag=orders&wait_ms={2 * HANG_S * 1_000}"
        listen = ["--http-listen", "127.0.0.1:0", "--resp-listen", "", "--admin-listen", ""]
        command = [snowmint.binary, "serve", "--source", f"late=segment+{urls[0]}?{late}"]
        command += ["--leases-store", urls[1], *listen]
        process = subprocess.Popen(command, cwd=snowmint.directory, env=snowmint.environment)
        try:
            for one in (silent, leasing):
                one.settimeout(HANG_S)
                one.accept()[0].close()
        finally:
            process.kill()
            process.wait(HANG_S)
