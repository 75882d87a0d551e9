"""`snowmint serve` by TLS: both protocols, whom it lets in, and what it does with all others."""

import os
import select
import socket
import ssl
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
import redis
from certificates import Authority
from driver import HANG_S, INPUT, STORE, assert_disjoint, assert_rising, rounds, seeded
from ports import free_port
from services import FREE, RespClient, eventually, metric, read_all

ORDERS = ("--source", "orders=segment+sqlite:ids.db?tag=orders")
FAILED = "snowmint_tls_handshakes_failed_total"
MIB = 1 << 20


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path / "authority")


@pytest.fixture
def server(authority):
    """The server's certificate and key."""
    return authority.issue("server")


def settings(server, *more):
    certificate, key = server
    return (*ORDERS, "--tls-certificate", certificate, "--tls-key", key, *more)


@pytest.fixture
def serve(snowmint, start_service, authority, server):
    """Starts services that are asked by TLS; they end with the test."""
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()

    def start(*more, own=None, **addresses):
        context = authority.context(own)
        return start_service(*settings(server, *more), tls=context, **addresses)

    return start


def refused_by(context, service, address):
    """Returns how a client hears that it is not let in: with TLS 1.3 not before it asks."""
    with pytest.raises((ssl.SSLError, ConnectionError)) as refused, service.raw(address) as plain:
        with context.wrap_socket(plain, server_hostname=address[0]) as connection:
            connection.sendall(b"PING\r\n")
            assert not connection.recv(100)
            raise ConnectionError
    return str(refused.value)


def test_both_protocols_by_clients_of_others(serve, authority):
    service = serve()
    assert "warning" not in service.said.lower()
    (http, resp), ca = (service.http[1], service.resp[1]), authority.file
    url = f"https://localhost:{http}/v1/ids/orders"
    by_curl = ["curl", "-sS", "--cacert", ca, "-X", "POST", url]
    done = subprocess.run(by_curl, capture_output=True, check=True)
    assert done.stdout == b'{"ids":["1"]}\n'
    by_cli = ["redis-cli", "--tls", "--cacert", ca, "-p", str(resp), "INCR", "orders"]
    assert subprocess.run(by_cli, capture_output=True, check=True).stdout == b"2\n"
    with redis.Redis("localhost", resp, ssl=True, ssl_ca_certs=str(ca)) as client:
        assert [client.incr("orders") for _ in range(100)] == list(range(3, 103))
        with client.pipeline() as pipeline:
            for _ in range(2_000):
                pipeline.incr("orders")
            assert pipeline.execute() == list(range(103, 2_103))
    assert service.mint("orders", count=10_000).ids[0] == 2_103
    assert metric(service, FAILED) == 0
    assert service.stop() == 0
    assert "broken off" not in service.said


def test_commands_in_records_of_every_size(serve):
    """One record of many commands, and one command in many records: none waits for another."""
    service, dice = serve(), seeded("records")
    expected = 1
    with RespClient(service) as client:
        for _ in range(rounds(20)):
            count = dice.choice([1, 10, 5_000])
            commands = b"INCR orders\r\n" * count
            while commands:
                size = dice.choice([1, 7, 16_384, 100_000]) if count > 10 else 1
                client.socket.sendall(commands[:size])
                commands = commands[size:]
            assert [client.reply() for _ in range(count)] == [*range(expected, expected + count)]
            expected += count


def test_replies_that_are_read_slowly_all_come(serve):
    """The last of them wait in the service, encrypted, for room in the system."""
    service = serve()
    with socket.socket() as plain:
        plain.settimeout(HANG_S)
        # Before it is connected: it then has little room from its beginning on.
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8_192)
        plain.connect(service.resp)
        with service.tls.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
            for count in (10, 100, 1_000, 3_000):
                connection.sendall(b"INFO\r\n" * count + b"PING\r\n")
                told = b""
                while not told.endswith(b"+PONG\r\n"):
                    told += connection.recv(1_000)
                assert told.count(b"# Server") == count


def test_http_is_what_is_agreed_on(serve, authority):
    service = serve()
    for offered, agreed in ((["h2", "http/1.1"], "http/1.1"), ([], None)):
        service.tls = authority.context()
        if offered:
            service.tls.set_alpn_protocols(offered)
        with service.open(service.http) as connection:
            assert connection.selected_alpn_protocol() == agreed
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            assert read_all(connection).endswith(b"ok\n")
    alone = authority.context()
    alone.set_alpn_protocols(["h2"])
    said = refused_by(alone, service, service.http)
    assert "no application protocol" in said.lower().replace("_", " "), said


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_old_versions_are_refused(serve, authority):
    service = serve()
    for version, is_good in (
        (ssl.TLSVersion.TLSv1_3, True),
        (ssl.TLSVersion.TLSv1_2, True),
        (ssl.TLSVersion.TLSv1_1, False),
        (ssl.TLSVersion.TLSv1, False),
    ):
        context = authority.context()
        # This side would not begin with an old one otherwise.
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = version
        if is_good:
            service.tls = context
            with RespClient(service) as client:
                assert client.ask("PING") == "PONG"
                assert client.socket.version() == version.name.replace("_", ".")
            assert len(service.mint("orders").ids) == 1
        else:
            said = refused_by(context, service, service.resp)
            assert "alert" in said.lower(), said


def test_mutual_tls_lets_in_whom_its_authority_knows(serve, authority, tmp_path):
    known = authority.issue("client")
    strangers = Authority(tmp_path / "strangers")
    service = serve("--tls-client-ca", authority.file, own=known)
    assert service.mint("orders").ids == [1]
    with RespClient(service) as client:
        assert client.ask("INCR", "orders") == 2
    ended = authority.issue("ended", days=-1)
    wrong = (None, strangers.issue("client"), ended)
    for own in wrong:
        context = authority.context(own)
        for address in (service.http, service.resp):
            refused_by(context, service, address)
    eventually(lambda: metric(service, FAILED) == 2 * len(wrong))
    # A connection that only looks whether somebody is there is no failure.
    service.raw(service.http).close()
    eventually(lambda: metric(service, "snowmint_connections") == 1)
    assert metric(service, FAILED) == 2 * len(wrong)
    assert service.mint("orders").ids == [3]


def test_a_certificate_or_key_that_cannot_be_used_ends_the_start(snowmint, authority, server):
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    certificate, key = server
    _, other = authority.issue("other")
    free = ("serve", "--http-listen", FREE, "--resp-listen", FREE, "--admin-listen", FREE)

    def refused(pair, *more, code="invalid_parameter", status=INPUT):
        done = snowmint.run(*free, *settings(pair, *more))
        assert done.status == status and f"error[{code}]" in done.errors, done
        assert "listening" not in done.errors
        return done.errors

    said = refused((certificate, other))
    assert f"tls.key: {other}" in said and f"not the key of {certificate}" in said
    assert "the certificate ended on" in refused(authority.issue("ended", days=-1))
    assert "none.pem" in refused(("none.pem", key))
    assert "tls.key" in refused((certificate, ""))
    assert "tls.certificate" in refused(("", key))
    assert "tls.client_ca" in refused(server, "--tls-client-ca", key)
    key.chmod(0o644)
    assert "chmod o-rw" in refused(server, code="unsafe_setting", status=STORE)


def test_a_certificate_near_its_end_is_warned_of(start_service, snowmint, authority):
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    soon = authority.issue("soon", days=3)
    service = start_service(*settings(soon), tls=authority.context())
    assert "tls.certificate ends on" in service.said
    ends = metric(service, "snowmint_tls_certificate_expires_timestamp_seconds")
    with service.open(service.http) as connection:
        assert ends == ssl.cert_time_to_seconds(connection.getpeercert()["notAfter"])


def put(pair, server):
    """Has another certificate and key in the place of the server's."""
    for new, old in zip(pair, server):
        os.replace(new, old)


def reload(service):
    return service.ask_as_operator("POST", "/admin/reload")


def test_a_reload_is_for_connections_to_come(serve, authority, server, tmp_path):
    service = serve()
    before, after = service.tls, Authority(tmp_path / "after")
    ends = metric(service, "snowmint_tls_certificate_expires_timestamp_seconds")
    with RespClient(service) as client, service.open(service.http) as http_:
        assert client.ask("INCR", "orders") == 1
        put(after.issue("server", days=30), server)
        assert reload(service).json == {"reloaded": True}
        assert client.ask("INCR", "orders") == 2
        http_.sendall(b"POST /v1/ids/orders HTTP/1.1\r\nHost: a\r\n\r\n")
        assert http_.recv(1_000).endswith(b'{"ids":["3"]}\n')
        for address in (service.http, service.resp, service.admin):
            assert "CERTIFICATE_VERIFY_FAILED" in refused_by(before, service, address)
        service.tls = after.context()
        assert service.mint("orders").ids == [4]
        assert client.ask("INCR", "orders") == 5
    assert metric(service, "snowmint_tls_certificate_expires_timestamp_seconds") < ends


def test_a_reload_of_what_cannot_be_used_changes_nothing(serve, authority, server):
    service = serve()
    _, key = server
    own = key.read_text()
    key.write_text(authority.issue("other")[1].read_text())
    said = reload(service).must_refuse(400, "invalid_parameter").json["detail"]
    assert "tls.key" in said and "is not the key of" in said
    assert service.mint("orders").ids == [1]
    key.unlink()
    assert "tls.key" in reload(service).must_refuse(400, "invalid_parameter").json["detail"]
    with RespClient(service) as client:
        assert client.ask("INCR", "orders") == 2
    key.write_text(own)
    key.chmod(0o644)
    assert "chmod" in reload(service).json["detail"]
    key.chmod(0o600)
    assert reload(service).status == 200
    put(authority.issue("ended", days=-1), server)
    assert "ended on" in reload(service).must_refuse(400, "invalid_parameter").json["detail"]
    assert service.mint("orders").ids == [3]


def test_a_reload_changes_which_clients_may_connect(serve, authority, tmp_path):
    """For connections to come, also of a client that would go on with a session."""
    known, others = authority.issue("client"), Authority(tmp_path / "others")
    allowed = tmp_path / "allowed.pem"
    allowed.write_text(authority.file.read_text())
    service = serve("--tls-client-ca", allowed, own=known)
    before, now = service.tls, authority.context(others.issue("client"))
    # Versions differ in how a session is gone on with; this one lets a client say which.
    before.maximum_version = ssl.TLSVersion.TLSv1_2
    with RespClient(service) as client:
        session = client.socket.session
        assert goes_on(before, service, session)
        allowed.write_text(others.file.read_text())
        assert reload(service).status == 200
        assert client.ask("INCR", "orders") == 1
    with pytest.raises((ssl.SSLError, ConnectionError)):
        goes_on(before, service, session)
    service.tls = now
    assert service.mint("orders").ids == [2]


def goes_on(context, service, session):
    """Returns true if a new connection resumes the session."""
    with service.raw(service.resp) as plain:
        with context.wrap_socket(plain, server_hostname="127.0.0.1", session=session) as secured:
            return secured.session_reused


def test_a_reload_begins_it_and_does_not_end_it(snowmint, start_service, authority, server):
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    file = snowmint.directory / "serve.toml"
    file.write_text("")
    service = start_service("--config", file, *ORDERS)
    with RespClient(service) as client:
        assert client.ask("INCR", "orders") == 1
        certificate, key = server
        file.write_text(f"[tls]\ncertificate = '{certificate}'\nkey = '{key}'\n")
        assert reload(service).status == 200
        assert client.ask("INCR", "orders") == 2
        assert service.mint("orders").status == 400
        service.tls = authority.context()
        assert service.mint("orders").ids == [3]
        file.write_text("")
        refused = reload(service).must_refuse(400, "unsupported")
        assert "not set any more: tls.certificate, tls.key; " in refused.json["detail"]
        assert service.mint("orders").ids == [4]
        assert client.ask("INCR", "orders") == 5


def test_nobody_notices_new_certificates(serve, authority, server):
    service = serve()

    def mint(_):
        with RespClient(service) as client:
            return [client.ask("INCR", "orders"), *service.mint("orders").ids]

    with ThreadPoolExecutor(2) as pool:
        minted = [pool.submit(mint, at) for at in range(rounds(100))]
        while not all(one.done() for one in minted):
            put(authority.issue("next"), server)
            assert reload(service).status == 200
        assert_disjoint(*(one.result() for one in minted))
    assert metric(service, FAILED) == 0


def test_other_machines_are_served_by_tls_alone(snowmint, serve):
    everywhere = "0.0.0.0:0"
    done = snowmint.run("serve", *ORDERS, "--http-listen", everywhere)
    assert done.status != 0 and "error[unsafe_setting]" in done.errors, done
    assert "tls.certificate" in done.errors
    service = serve(http=everywhere, resp=everywhere)
    service.http, service.resp = (("127.0.0.1", one[1]) for one in (service.http, service.resp))
    assert service.mint("orders").ids == [1]
    with RespClient(service) as client:
        assert client.ask("INCR", "orders") == 2


def test_paths_are_not_secured(snowmint, serve):
    serve(http=f"{FREE},unix:http.sock", resp=f"{FREE},unix:resp.sock")
    by_curl = ["curl", "-sS", "--unix-socket", "http.sock", "-X", "POST", "http://a/v1/ids/orders"]
    done = subprocess.run(by_curl, cwd=snowmint.directory, capture_output=True, check=True)
    assert done.stdout == b'{"ids":["1"]}\n'
    with redis.Redis(unix_socket_path=str(snowmint.directory / "resp.sock")) as client:
        assert client.incr("orders") == 2


def test_a_client_that_speaks_no_tls_is_told_so(serve):
    service = serve()
    with service.raw(service.http) as connection:
        connection.sendall(b"POST /v1/ids/orders HTTP/1.1\r\nHost: a\r\n\r\n")
        told = read_all(connection)
        assert told.startswith(b"HTTP/1.1 400 ") and b"https://" in told, told
    with redis.Redis(port=service.resp[1]) as client:
        with pytest.raises(redis.ResponseError, match="connect by rediss://"):
            client.incr("orders")
    assert service.mint("orders").ids == [1]


def test_a_malformed_handshake_ends_the_connection(serve):
    service, dice = serve(), seeded("handshakes")
    outgoing = ssl.MemoryBIO()
    with pytest.raises(ssl.SSLWantReadError):
        service.tls.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost").do_handshake()
    hello = outgoing.read()
    for at in range(rounds(100)):
        wrong = bytearray(hello)
        for _ in range(dice.randrange(1, 9)):
            wrong[dice.randrange(len(wrong))] = dice.randrange(256)
        with service.raw((service.http, service.resp)[at % 2]) as connection:
            try:
                connection.sendall(wrong[: dice.randrange(1, len(wrong) + 1)])
                connection.shutdown(socket.SHUT_WR)
                read_all(connection)
            except OSError as error:
                assert not isinstance(error, TimeoutError), wrong
    assert service.mint("orders").ids == [1]
    eventually(lambda: metric(service, "snowmint_connections") == 1)


def test_handshakes_that_go_on_have_places_until_their_time_is_up(serve):
    """Nothing, or the beginning of a hello."""
    most = 20

    def half_open(service, count, stack):
        for at in range(count):
            address = service.http if at % 2 else service.resp
            connection = stack.enter_context(service.raw(address))
            connection.sendall(b"\x16\x03\x01\x02\x00\x01"[: at % 7])
            yield connection

    patient = serve("--limits-connections", most, "--timeouts-handshake-ms", 600_000)
    with ExitStack() as stack:
        connections = list(half_open(patient, most + 2, stack))
        # Without a word: it would not be understood.
        eventually(lambda: len(select.select(connections, [], [], 0)[0]) == 2)
        assert {read_all(one) for one in select.select(connections, [], [], 0)[0]} == {b""}
    eventually(lambda: is_served(patient))
    hasty = serve("--limits-connections", most, "--timeouts-handshake-ms", 500)
    with ExitStack() as stack:
        connections = list(half_open(hasty, most, stack))
        for connection in connections:
            assert read_all(connection) == b""
        # A busy machine may take as long for those that do go on.
        eventually(lambda: is_served(hasty))
        eventually(lambda: failures_told(hasty) >= most)


def failures_told(service):
    """Returns how many handshakes failed, or 0 while that of the request itself fails."""
    try:
        return metric(service, FAILED)
    except OSError:
        return 0


def is_served(service):
    try:
        return service.mint("orders").status == 200
    except OSError:
        return False


def test_connections_end_as_tls_has_it(serve):
    """With a good-bye: without one a client may take the end for an attack."""
    service = serve()
    with RespClient(service) as client:
        assert client.ask("QUIT") == "OK"
        assert client.socket.recv(1) == b""
    with RespClient(service) as resp, service.open(service.http) as http_, ExitStack() as silent:
        assert resp.ask("PING") == "PONG"
        http_.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert http_.recv(1_000).endswith(b"ok\n")
        # Neither do handshakes that nobody goes on with hold it up.
        silent.enter_context(service.raw(service.http))
        silent.enter_context(service.raw(service.resp)).sendall(b"\x16\x03")
        eventually(lambda: metric(service, "snowmint_connections") == 5)
        assert service.stop() == 0
        assert resp.socket.recv(1) == b""
        assert http_.recv(1) == b""
    assert "broken off" not in service.said


def test_servers_ask_each_other_by_tls(serve, authority):
    """An ordered tag, of servers that let in none without a certificate."""
    client, ca = authority.issue("client"), authority.file

    def begin():
        port = free_port()
        ordered = ("--ordered-sources", "orders", "--ordered-store", "sqlite:ids.db")
        address = ("--ordered-address", f"https://127.0.0.1:{port}", "--ordered-ca", ca)
        mutual = ("--tls-client-ca", ca)
        return serve(*ordered, *address, *mutual, own=client, http=f"127.0.0.1:{port}")

    servers = [begin(), begin()]
    # A busy machine may renew the turn too late, and whoever has it next goes on above.
    taken = [servers[at % 2].mint("orders").ids[0] for at in range(40)]
    assert [reload(server).status for server in servers] == [200, 200]
    taken += [servers[at % 2].mint("orders").ids[0] for at in range(40)]
    assert_rising(taken)


def test_slow_readers_keep_nobody_from_numbers(serve):
    service = serve()
    with ExitStack() as slow, RespClient(service) as client:
        for _ in range(20):
            connection = slow.enter_context(service.open(service.http))
            connection.setblocking(False)
            request = b"POST /v1/ids/orders?count=10000 HTTP/1.1\r\nHost: a\r\n\r\n"
            connection.send(request * 20)
        assert_rising([client.ask("INCR", "orders") for _ in range(1_000)])
        assert_rising([service.mint("orders").ids[0] for _ in range(20)])


def test_a_thousand_connections_that_wait(serve):
    service = serve("--timeouts-idle-ms", 600_000)
    with ExitStack() as waiting:
        for at in range(1_000):
            address = service.http if at % 2 else service.resp
            connection = waiting.enter_context(service.open(address))
            ping = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" if at % 2 else b"PING\r\n"
            connection.sendall(ping)
            assert connection.recv(1_000)
        with open(f"/proc/{service.process.pid}/statm", encoding="ascii") as statm:
            memory = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        print(f"memory: {memory / MIB:.1f} MiB")
        assert memory < 96 * MIB
        assert len(service.mint("orders").ids) == 1
