"""Starts `snowmint serve` on free ports, asks it, stops and kills it."""

import http.client
import json
import re
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from driver import HANG_S
from ports import free_port

FREE = "127.0.0.1:0"


class Answer:
    """The answer to a request."""

    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    def __repr__(self):
        return f"{self.status} {self.headers} {self.body[:500]}"

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def ids(self):
        """IDs of an answer in JSON, where they are strings."""
        assert self.status == 200, self
        assert all(isinstance(one, str) for one in self.json["ids"]), self
        return list(map(int, self.json["ids"]))

    def must_refuse(self, status, code):
        assert (self.status, self.json["code"]) == (status, code), self
        assert self.headers["content-type"] == "application/problem+json", self
        assert self.json["status"] == status and self.json["detail"], self
        return self


class Service:
    """A running `snowmint serve`, its state and files those of a `driver.Snowmint`, on ports that stay
    free for whoever begins in its place.

    With `tls`, the `ssl.SSLContext` of a client, it is asked by TLS.
    """

    def __init__(
        self,
        snowmint,
        *arguments,
        environment=None,
        http=None,
        resp=None,
        admin=None,
        tls=None,
        pass_fds=(),
    ):
        command = [snowmint.binary, "serve"]
        for kind, address in (("http", http), ("resp", resp), ("admin", admin)):
            command += [f"--{kind}-listen", address or f"127.0.0.1:{free_port()}"]
        self.tls = tls
        # Opened by name when it is read: a place in it that both shared would be moved by reading.
        self.stderr = tempfile.NamedTemporaryFile(mode="ab")
        self.process = subprocess.Popen(
            [str(part) for part in [*command, *arguments]],
            cwd=snowmint.directory,
            env={**snowmint.environment, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stderr=self.stderr,
            pass_fds=pass_fds,
        )
        secured = "s" if tls else ""
        self.http = self._address(f"listening on http{secured}")
        self.resp = self._address(f"listening on redis{secured}")
        self.admin = self._address(f"for operators on http{secured}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        self.stderr.close()

    @property
    def said(self):
        """All that it has written to standard error so far."""
        return Path(self.stderr.name).read_text()

    def _address(self, words):
        """Returns the address on which it says that it listens."""
        end = time.monotonic() + HANG_S
        while time.monotonic() < end:
            # Looked at first: what it says before its end is read after it.
            status = self.process.poll()
            if found := re.search(rf'{words}://([^\s"]+)["\n]', self.said):
                address = urlsplit(f"//{found[1]}")
                return address.hostname, address.port
            assert status is None, f"ended with {status}: {self.said}"
            time.sleep(0.01)
        raise TimeoutError(self.said)

    def connect(self, address=None):
        """A connection for HTTP that is kept."""
        host, port = address or self.http
        if self.tls:
            return http.client.HTTPSConnection(host, port, timeout=HANG_S, context=self.tls)
        return http.client.HTTPConnection(host, port, timeout=HANG_S)

    def ask(self, method, path, body=None, headers=None, address=None):
        """The answer to one request on a connection of its own."""
        connection = self.connect(address)
        try:
            connection.request(method, path, body, headers or {})
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def ask_as_operator(self, method, path, headers=None):
        return self.ask(method, path, headers=headers, address=self.admin)

    def mint(self, source, **query):
        parameters = "&".join(f"{name}={value}" for name, value in query.items())
        return self.ask("POST", f"/v1/ids/{source}?{parameters}")

    def raw(self, address):
        return socket.create_connection(address, HANG_S)

    def open(self, address):
        """A connection, secured where its service is."""
        connection = self.raw(address)
        if not self.tls:
            return connection
        return self.tls.wrap_socket(
            connection, server_hostname=address[0], suppress_ragged_eofs=False
        )

    def stop(self, signal=signal.SIGTERM):
        """Ends it by a signal: its exit status."""
        self.process.send_signal(signal)
        return self.process.wait(HANG_S)

    def kill(self):
        self.process.kill()
        self.process.wait(HANG_S)


class Refused(Exception):
    """An error of the protocol of Redis."""


class RespClient:
    """As much of a client of Redis as the tests need."""

    def __init__(self, service):
        self.socket = service.open(service.resp)
        self.file = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def send(self, *words):
        words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        parts = [b"$%d\r\n%s\r\n" % (len(word), word) for word in words]
        self.socket.sendall(b"*%d\r\n%s" % (len(parts), b"".join(parts)))

    def reply(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError(line)
        kind, text = line[:1], line[1:-2]
        if kind == b":":
            return int(text)
        if kind == b"+":
            return text.decode()
        if kind == b"-":
            return Refused(text.decode())
        if kind == b"$":
            return None if text == b"-1" else self.file.read(int(text) + 2)[:-2]
        assert kind == b"*", line
        return [self.reply() for _ in range(int(text))]

    def ask(self, *words):
        self.send(*words)
        return self.reply()

    def refused(self, *words):
        reply = self.ask(*words)
        assert isinstance(reply, Refused), reply
        return str(reply)


def metric(service, name):
    """The value of a sample without labels."""
    lines = service.ask_as_operator("GET", "/metrics").body.decode().splitlines()
    return float(next(line for line in lines if line.startswith(f"{name} ")).split()[-1])


def eventually(holds):
    """Waits until something holds."""
    end = time.monotonic() + HANG_S
    while not holds():
        assert time.monotonic() < end, "it never held"
        time.sleep(0.01)


def read_all(connection):
    """Returns all that comes until the other side ends the connection."""
    parts = []
    try:
        while part := connection.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)
