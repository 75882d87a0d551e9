"""When a service reads its configuration again, and what it does not take for one."""

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from driver import HANG_S
from ports import free_ports
from services import eventually
from test_serve_start import ask, is_there
from test_serve_tokens import bearer

FIXED = "fixed = 'snowflake:?worker_id=1'\n"
SOURCES = "[sources]\n" + FIXED
TOKENS = "[tokens]\nfile = 'tokens.toml'\n"


def reload(service):
    return service.ask_as_operator("POST", "/admin/reload")


@pytest.fixture
def write(snowmint):
    """Has another text in the file of settings."""
    return (snowmint.directory / "serve.toml").write_text


@pytest.fixture
def with_tokens(write, start_service, create_token):
    """A service that asks for tokens, by its file; `token` is one."""
    token = create_token("shop", "--sources", "*")
    write(TOKENS + SOURCES)
    service = start_service("--config", "serve.toml")
    service.token = token
    return service


def asks_for_tokens(service):
    service.mint("fixed").must_refuse(401, "store_denied")
    answer = service.ask("POST", "/v1/ids/fixed", headers=bearer(service.token))
    return answer.status == 200


def test_a_signal_while_it_starts_is_obeyed_afterwards(snowmint, create_token):
    """Else a token that was revoked meanwhile goes on working."""
    token = create_token("shop", "--sources", "*")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        late = f"late=segment+postgres://nobody@127.0.0.1:{port}/none?tag=orders&wait_ms=3000"
        ports = free_ports(2)
        http, admin = (f"127.0.0.1:{port}" for port in ports)
        command = [snowmint.binary, "serve", "--source", late, "--source", "fixed=uuid:"]
        command += ["--http-listen", http, "--resp-listen", "", "--admin-listen", admin]
        command += ["--tokens-file", "tokens.toml"]
        with subprocess.Popen(
            command, cwd=snowmint.directory, env=snowmint.environment, stderr=subprocess.PIPE
        ) as process:
            try:
                eventually(lambda: is_there(ports[1]))
                snowmint.run("token", "revoke", "--file", "tokens.toml", "shop").must_succeed()
                process.send_signal(signal.SIGHUP)
                phase = lambda: ask(ports[1], "GET", "/admin/state").json["phase"]
                eventually(lambda: phase() == "serving")
                mint = lambda: ask(ports[0], "POST", "/v1/ids/fixed", bearer(token))
                eventually(lambda: mint().status == 401)
                process.terminate()
                assert b"the configuration was read again" in process.stderr.read()
                assert process.wait(HANG_S) == 0
            finally:
                process.kill()


def test_a_configuration_that_came_by_a_pipe_is_not_read_again(snowmint, start_service, create_token):
    """As with `--config <(sops decrypt serve.toml)`: the start has its text, a reload an empty one."""
    token = create_token("shop", "--sources", "*")
    ours, theirs = os.pipe()
    os.write(theirs, (TOKENS + SOURCES).encode())
    os.close(theirs)
    try:
        service = start_service("--config", f"/dev/fd/{ours}", pass_fds=[ours])
    finally:
        os.close(ours)
    service.token = token
    assert asks_for_tokens(service)
    detail = reload(service).must_refuse(400, "unsupported").json["detail"]
    assert "is a pipe or the like" in detail and "restart the service" in detail
    service.process.send_signal(signal.SIGHUP)
    eventually(lambda: service.said.count("nothing was changed: the configuration /dev/fd/") == 2)
    assert asks_for_tokens(service)


def test_a_pipe_in_its_place_holds_up_nothing(snowmint, write, with_tokens):
    file = snowmint.directory / "serve.toml"
    file.unlink()
    os.mkfifo(file)
    reload(with_tokens).must_refuse(400, "unsupported")
    file.unlink()
    write(TOKENS + SOURCES + "more = 'uuid:'\n")
    assert reload(with_tokens).status == 200
    assert asks_for_tokens(with_tokens)


def has_handler(pid, number):
    """Returns true if a process does something of its own at a signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


def test_a_signal_while_its_settings_come_is_obeyed_afterwards(snowmint):
    ours, theirs = os.pipe()
    (http_port,) = free_ports(1)
    command = [snowmint.binary, "serve", "--config", f"/dev/fd/{ours}", "--resp-listen", ""]
    command += ["--admin-listen", "", "--http-listen", f"127.0.0.1:{http_port}"]
    log = snowmint.directory / "log"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            command,
            cwd=snowmint.directory,
            env=snowmint.environment,
            stderr=stderr,
            pass_fds=[ours],
        )
    with process:
        try:
            os.close(ours)
            eventually(lambda: has_handler(process.pid, signal.SIGHUP))
            process.send_signal(signal.SIGHUP)
            os.write(theirs, SOURCES.encode())
            os.close(theirs)
            eventually(lambda: is_there(http_port))
            eventually(lambda: "cannot be read again" in log.read_text())
            process.terminate()
            assert process.wait(HANG_S) == 0
        finally:
            process.kill()


def test_a_file_of_tokens_that_is_empty_is_not_yet_whole(snowmint, with_tokens):
    file = snowmint.directory / "tokens.toml"
    file.write_text("\n")
    detail = reload(with_tokens).must_refuse(400, "invalid_parameter").json["detail"]
    assert "the file is empty, and nobody could ask" in detail
    assert asks_for_tokens(with_tokens)
    eventually(lambda: "nothing was changed: the tokens in " in with_tokens.said)


def test_a_reload_tells_how_many_tokens_went(snowmint, create_token, with_tokens):
    create_token("other", "--sources", "*")
    assert reload(with_tokens).status == 200
    assert "not in tokens.file any more" not in with_tokens.said
    for left in ("2", "1"):
        name = "other" if left == "2" else "shop"
        snowmint.run("token", "revoke", "--file", "tokens.toml", name).must_succeed()
        assert reload(with_tokens).status == 200
        told = f"1 of {left} tokens are not in tokens.file any more"
        eventually(lambda: told in with_tokens.said)
    answer = with_tokens.ask("POST", "/v1/ids/fixed", headers=bearer(with_tokens.token))
    answer.must_refuse(401, "store_denied")
    # The next token that is made finds the file as it was before the first.
    create_token("third", "--sources", "*")
    assert "no tokens" not in (snowmint.directory / "tokens.toml").read_text()
    assert reload(with_tokens).status == 200


def test_a_directory_or_device_in_the_place_of_the_file_is_named(snowmint, with_tokens):
    file = snowmint.directory / "serve.toml"
    file.unlink()
    file.mkdir()
    assert "is a directory and" in reload(with_tokens).must_refuse(400, "unsupported").json["detail"]
    file.rmdir()
    file.symlink_to("/dev/null")
    assert "is a device and" in reload(with_tokens).must_refuse(400, "unsupported").json["detail"]


@pytest.mark.parametrize(
    "text, gone",
    [
        ("", "tokens.file, sources"),
        ("\n", "tokens.file, sources"),
        (SOURCES, "tokens.file"),
        ("[tokens]\nfile = ''\n" + SOURCES, "tokens.file"),
        (TOKENS, "sources"),
    ],
)
def test_tokens_and_sources_do_not_go_while_the_service_runs(write, with_tokens, text, gone):
    write(text)
    detail = reload(with_tokens).must_refuse(400, "unsupported").json["detail"]
    assert detail.startswith(f"not set any more: {gone}; "), detail
    assert asks_for_tokens(with_tokens)
    with_tokens.process.send_signal(signal.SIGHUP)
    eventually(lambda: with_tokens.said.count("nothing was changed: not set any more") == 2)
    assert asks_for_tokens(with_tokens)


def test_the_tokens_may_be_those_of_another_file(snowmint, write, with_tokens):
    (snowmint.directory / "tokens.toml").rename(snowmint.directory / "others.toml")
    write("[tokens]\nfile = 'others.toml'\n" + SOURCES)
    assert reload(with_tokens).status == 200
    assert asks_for_tokens(with_tokens)


@pytest.mark.parametrize("name", ["fixed", "renamed"])
def test_a_fixed_worker_id_keeps_its_directory(write, start_service, name):
    """Sources of one worker ID in two directories issue the same IDs while one is about to close."""
    settings = "[sources]\n{} = 'snowflake:?worker_id=1&state={}'\n".format
    write(settings("fixed", "one"))
    service = start_service("--config", "serve.toml")
    write(settings(name, "two"))
    answer = reload(service).must_refuse(503, "worker_in_use")
    assert "restart" in answer.json["detail"]
    write(settings("fixed", "one"))
    assert reload(service).status == 200
    assert service.mint("fixed").status == 200


def test_a_request_keeps_the_configuration_that_it_began_with(snowmint, write, start_service):
    """Its body comes once fewer numbers are allowed."""
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    settings = SOURCES + "[leases]\nstore = 'sqlite:ids.db'\n"
    write(settings)
    service = start_service("--config", "serve.toml")
    body = b'{"count": "5"}'
    head = (
        "POST /v1/segments/orders/allocate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
    )
    with service.raw(service.http) as connection:
        connection.sendall(head.encode())
        assert b" 100 " in connection.recv(1_000)
        write(settings + "[limits]\nrange_count = 1\n")
        assert reload(service).status == 200
        connection.sendall(body)
        answer = connection.makefile("rb").read()
    assert b'"end":"6"' in answer, answer
    allocate = lambda: service.ask(
        "POST", "/v1/segments/orders/allocate", body, {"content-type": "application/json"}
    )
    assert allocate().json["end"] == "7"
