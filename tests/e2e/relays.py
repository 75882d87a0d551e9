"""A relay between clients and a server; each subclass decides what becomes of their words."""

import socket
import threading
from contextlib import suppress


class Relay:
    """Listens on a port of its own, and connects to the server for each client."""

    def __init__(self, host, port):
        self.server = (host, port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()

    def _accept(self):
        with suppress(OSError):  # the listener was closed
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self._serve, args=[client], daemon=True).start()

    def _serve(self, client):
        with suppress(OSError), client, socket.create_connection(self.server) as server:
            self._pass(client, server)
