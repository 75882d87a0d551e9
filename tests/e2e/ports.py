"""Ports for servers, each process of pytest-xdist with a range of its own."""

import itertools
import os
import random
import socket

# Linux gives clients ports above these: a server that was killed finds its own free again.
FIRST, LAST = 10_000, 32_000
PROCESSES = 20
# gw0, gw1, … of pytest-xdist.
PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % PROCESSES
OWN = (LAST - FIRST) // PROCESSES
# Another run on this machine begins at another place.
TURNS = itertools.count(random.SystemRandom().randrange(OWN))


def free_port():
    """A port that nobody listens on, and that is not given again for long."""
    for _ in range(OWN):
        port = FIRST + PROCESS * OWN + next(TURNS) % OWN
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("", port))
            except OSError:
                continue
            return port
    raise OSError("no port is free")


def free_ports(count):
    return [free_port() for _ in range(count)]
