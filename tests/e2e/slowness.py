"""A relay before a server that passes its answers on late."""

import time

from relays import Relay


class Slow(Relay):
    """`asked` is how many requests came."""

    def __init__(self, host, port, seconds):
        self.seconds, self.asked = seconds, 0
        super().__init__(host, port)

    def _pass(self, client, server):
        # One request at a time, each in one piece: its answer comes before the next.
        while request := client.recv(1 << 16):
            self.asked += request.count(b"POST ")
            server.sendall(request)
            answer = server.recv(1 << 16)
            time.sleep(self.seconds)
            client.sendall(answer)
