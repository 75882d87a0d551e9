"""A name server with the records that a test gives it, over UDP and TCP."""

import socket
import struct
import threading
from contextlib import suppress

A, SRV = 1, 33
NO_SUCH_NAME = 3


def labels(name):
    parts = [part.encode() for part in name.split(".") if part]
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\0"


def address(text):
    return A, socket.inet_aton(text)


def service(priority, port, target):
    return SRV, struct.pack("!HHH", priority, 1, port) + labels(target)


class NameServer:
    """`records` has, by name, what it tells; a name that it lacks is not there.

    With `is_long`, no answer goes into a datagram.
    """

    def __init__(self, records, is_long=False):
        self.records, self.is_long = records, is_long
        self.asked = []
        self.stream = socket.create_server(("127.0.0.1", 0))
        self.at = "{}:{}".format(*self.stream.getsockname())
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(self.stream.getsockname())
        for serve in (self._serve_datagrams, self._serve_streams):
            threading.Thread(target=serve, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.datagrams.close()
        self.stream.close()

    def _serve_datagrams(self):
        with suppress(OSError):  # the socket was closed
            while True:
                question, client = self.datagrams.recvfrom(512)
                self.datagrams.sendto(b"no answer", client)
                self.datagrams.sendto(self._answer(question, self.is_long), client)

    def _serve_streams(self):
        with suppress(OSError):
            while True:
                client, _ = self.stream.accept()
                with client, client.makefile("rb") as heard:
                    (length,) = struct.unpack("!H", heard.read(2))
                    answer = self._answer(heard.read(length), False)
                    client.sendall(struct.pack("!H", len(answer)) + answer)

    def _answer(self, question, is_truncated):
        end = question.index(b"\0", 12) + 5
        parts, at = [], 12
        while question[at]:
            parts.append(question[at + 1 : at + 1 + question[at]].decode())
            at += 1 + question[at]
        name, (kind,) = ".".join(parts), struct.unpack("!H", question[at + 1 : at + 3])
        self.asked.append((name, kind, is_truncated))
        known = self.records.get(name)
        found = [data for of, data in known or () if of == kind and not is_truncated]
        flags = 0x8180 | is_truncated << 9 | (NO_SUCH_NAME if known is None else 0)
        header = question[:2] + struct.pack("!HHHHH", flags, 1, len(found), 0, 0)
        record = b"\xc0\x0c" + struct.pack("!HHI", kind, 1, 0)
        records = (record + struct.pack("!H", len(data)) + data for data in found)
        return header + question[12:end] + b"".join(records)
