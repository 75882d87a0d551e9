"""Clients that mint from a service for as long as it is there."""

import itertools
import threading
from http.client import HTTPException

from driver import HANG_S
from services import Answer, Refused, RespClient, eventually


class Load:
    """Some clients, each on a thread and a kept connection, and what they were given."""

    def __init__(self, service, clients=4):
        self.service = service
        self.numbers = {"ids": [], "orders": []}
        self.refused, self.broken = [], []
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self._mint) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    @property
    def ids(self):
        return self.numbers["ids"]

    @property
    def orders(self):
        return self.numbers["orders"]

    def until(self, count):
        """Waits until there are so many of each, or nobody is left."""
        lives = threading.Thread.is_alive
        eventually(lambda: self._has(count) or not any(map(lives, self.threads)))
        return self

    def end(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join(HANG_S)
        return self

    def _has(self, count):
        return all(len(numbers) >= count for numbers in self.numbers.values())

    def _mint(self):
        try:
            with self.client(self.service) as client:
                for count, source in itertools.cycle(itertools.product(self.counts, self.numbers)):
                    if self.is_over.is_set():
                        return
                    self.mint(client, source, count)
        except (OSError, HTTPException) as error:
            self.broken.append(error)


class HttpLoad(Load):
    """Over HTTP: one ID a request, and many."""

    counts = (1, 7, 100)

    class client:
        """A connection that is closed at its end."""

        def __init__(self, service):
            self.connection = service.connect()

        def __enter__(self):
            return self.connection

        def __exit__(self, *_):
            self.connection.close()

    def mint(self, client, source, count):
        client.request("POST", f"/v1/ids/{source}?count={count}")
        answer = Answer(client.getresponse())
        if answer.status == 200:
            self.numbers[source].extend(answer.ids)
        else:
            is_ours = answer.headers["content-type"] == "application/problem+json"
            self.refused.append(answer.json["code"] if is_ours else repr(answer))


class RespLoad(Load):
    """Over the protocol of Redis: one command at a time, and pipelines."""

    counts = (1, 16)
    client = RespClient

    def mint(self, client, source, count):
        client.socket.sendall(f"INCR {source}\r\n".encode() * count)
        for _ in range(count):
            reply = client.reply()
            if isinstance(reply, Refused):
                self.refused.append(str(reply).split()[1].rstrip(":"))
            else:
                self.numbers[source].append(reply)
