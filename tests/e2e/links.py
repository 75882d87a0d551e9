"""Links between processes and a database, which cut connections at the worst moments."""

import socket
import threading
from contextlib import suppress

from relays import Relay

# Before the server hears of a commit, once it has, and when it has answered.
MOMENTS = ("before", "in", "after")


def is_commit(chunk):
    """As PostgreSQL and MariaDB, Redis, etcd and ZooKeeper are told to change something for good."""
    return b"COMMIT" in chunk.upper() or b"EVAL" in chunk or b"request_put" in chunk or b'{"' in chunk


class Link(Relay):
    """Passes everything on, but for commits that it was told to cut."""

    def __init__(self, host, port):
        self.cut = None  # when to cut the connection of the next commit
        self.done = dict.fromkeys(MOMENTS, 0)
        super().__init__(host, port)

    def _pass(self, client, server):
        ends = threading.Event()
        answers = [client, server, ends]
        back = threading.Thread(target=self._pass_answers, args=answers, daemon=True)
        back.start()
        with suppress(OSError):
            self._pass_requests(client, server, ends)
        for side in (client, server):
            with suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)
        back.join()

    def _pass_requests(self, client, server, ends):
        while chunk := client.recv(1 << 16):
            moment = self._moment() if is_commit(chunk) else None
            if moment == "before":
                return
            if moment == "after":
                ends.set()
            server.sendall(chunk)
            if moment == "in":
                return

    def _moment(self):
        moment, self.cut = self.cut, None
        if moment:
            self.done[moment] += 1
        return moment

    def _pass_answers(self, client, server, ends):
        with suppress(OSError):
            while (chunk := server.recv(1 << 16)) and not ends.is_set():
                client.sendall(chunk)
            client.shutdown(socket.SHUT_RDWR)
