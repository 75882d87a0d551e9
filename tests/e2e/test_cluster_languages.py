"""The proof of a cluster: a load on nginx, and clients of every language that route themselves, while servers
are killed, restarted, and come and go. `scripts/test-cluster` runs it, as the languages are packed by then.
"""

import os
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from clusters import Cluster, Direct, Front, assert_none_failed
from driver import rounds, seeded
from loads import HttpLoad
from proxies import Proxy

PROGRAMS = Path(__file__).with_name("clients") / "direct"
# The directory in which scripts/test-cluster has installed the packages of the languages.
INSTALLED = Path(os.environ["SNOWMINT_INSTALLED"])
LANGUAGES = {
    "python": (INSTALLED / "venv/bin/python", PROGRAMS / "mint.py"),
    "node": ("node", INSTALLED / "node/mint.mjs"),
    "java": ("java", "-cp", INSTALLED / "snowmint.jar", PROGRAMS / "Mint.java"),
    "c": (INSTALLED / "mint",),
}
SECONDS = float(os.environ.get("SNOWMINT_E2E_CLUSTER_S", "0"))
EVERY_S = 5
# More than a pipe and the ranges at hand of a program hold.
A_FEW_RANGES = 16_000


class Rig:
    """All of it, on one database."""

    def __init__(self, snowmint, url, directory, stack):
        self.chance = seeded("cluster of all languages")
        self.cluster = Cluster(snowmint, url, stack)
        proxy = stack.enter_context(Proxy(directory, "nginx", self.cluster.addresses[:3]))
        self.load = stack.enter_context(HttpLoad(Front(proxy), clients=4))
        self.direct = Direct(snowmint, stack, self.cluster)
        self.direct.begin()
        for command in LANGUAGES.values():
            self.direct.begin(*command)
        self.events, self.begun = 0, time.monotonic()

    def mint(self):
        """More of every client, and by the proxy."""
        self.direct.read(A_FEW_RANGES)
        self.load.until(200 + min(len(self.load.ids), len(self.load.orders)))

    def end(self):
        lasted = time.monotonic() - self.begun
        print(f"{self.events} events in {lasted:.0f} s: {assert_none_failed(self.load, self.direct)}")


@pytest.fixture
def rig(snowmint, postgres, tmp_path):
    snowmint.run("segment", "create", f"{postgres}&create=true", "orders").must_succeed()
    with ExitStack() as stack:
        yield Rig(snowmint, postgres, tmp_path, stack)


def test_servers_are_killed(rig):
    """One every 5 s for SNOWMINT_E2E_CLUSTER_S=60 seconds is the long form. Every other time a fourth one is
    added to the list, removed from it and killed."""
    rig.mint()
    while rig.events < rounds(2) or time.monotonic() - rig.begun < SECONDS:
        fourth = rig.cluster.begin(3) if rig.events % 2 else None
        rig.direct.put(range(4 if fourth else 3))
        at = rig.chance.randrange(3)
        rig.cluster.services[at].kill()
        rig.mint()
        rig.cluster.begin_again(at)
        if fourth:
            rig.direct.put(range(3))
            fourth.kill()
        rig.mint()
        rig.events += 1
        while SECONDS and time.monotonic() - rig.begun < rig.events * EVERY_S:
            rig.mint()
    rig.end()


def test_servers_are_restarted_one_after_the_other(rig):
    """SNOWMINT_E2E_ROUNDS=100 is the long form. In every other round each server leaves the list before."""
    rig.mint()
    for rig.events in range(1, rounds(1) + 1):
        for at in range(3):
            if rig.events % 2:
                rig.direct.put(other for other in range(3) if other != at)
            assert rig.cluster.services[at].stop() == 0
            rig.mint()
            rig.cluster.begin_again(at)
            rig.direct.put(range(3))
    rig.end()
