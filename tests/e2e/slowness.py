"""What stands before a server and passes its answers on late."""

import socket
import threading
import time
from contextlib import suppress


class Slow:
    """`asked` is how many requests came."""

    def __init__(self, server, seconds):
        self.server, self.seconds, self.asked = server, seconds, 0
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
            # One request at a time, each in one piece: its answer comes before the next.
            while request := client.recv(1 << 16):
                self.asked += request.count(b"POST ")
                server.sendall(request)
                answer = server.recv(1 << 16)
                time.sleep(self.seconds)
                client.sendall(answer)
