"""When a service reads its configuration again, and what it does not take for one."""

import os
import signal
import socket
import subprocess

import pytest

from driver import HANG_S
from proxies import free_ports
from services import eventually
from test_serve_start import ask, is_there
from test_serve_tokens import bearer

FIXED = "fixed = 'snowflake:?worker=1'\n"
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


def test_what_came_by_a_pipe_is_not_read_again(snowmint, start_service, create_token):
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
def test_what_secures_it_does_not_go_while_it_runs(write, with_tokens, text, gone):
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
