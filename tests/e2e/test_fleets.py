"""A fleet on one database: more processes than worker IDs, paused for longer than their leases
last, killed, their clocks stepped by up to an hour, their connections cut before, in and after
COMMIT. No ID twice, each process's IDs in order, each error typed. SNOWMINT_E2E_FLEET_S=60 is the
long form. The same fleet with leases that end by the clock alone repeats IDs: else nothing was
tested."""

import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from driver import Stream, assert_disjoint, assert_rising, seeded
from links import MOMENTS, Link
from members import Members

pytestmark = pytest.mark.thorough

SECONDS = float(os.environ.get("SNOWMINT_E2E_FLEET_S", "6"))
# A busy machine takes longer until enough has happened.
PATIENCE_S = 300
PROCESSES = 6
LAYOUT = "time:41,worker:2,sequence:12"
TTL_MS = 1_000


class Fleet:
    """Processes that mint, each by a clock of its own, and what chance does to them."""

    def __init__(self, start, clocks, link, choose, steps_s=(1, 10, 3_600)):
        self.steps_s = steps_s  # how far clocks are stepped, at most
        self.start, self.clocks, self.link, self.choose = start, clocks, link, choose
        self.running, self.ended, self.events = {}, [], Counter()

    def run(self, is_enough):
        """All processes, at their end: once it lasted as long as it should, and that is enough."""
        begun = time.monotonic()
        try:
            while (lasted := time.monotonic() - begun) < SECONDS or not is_enough(self):
                assert lasted < SECONDS + PATIENCE_S, f"inconclusive: {self.told()}"
                for _ in range(20):
                    self.begin_missing()
                    self.something_happens(time.monotonic())
                    self.read()
        finally:
            for at in list(self.running):
                self.end(at)
        return self.ended

    def read(self):
        for stream, resumes in list(self.running.values()):
            if resumes is None:
                stream.read_for(0.005)

    def issued(self):
        """The IDs of each process so far."""
        return [one.ids for one in [*self.ended, *(stream for stream, _ in self.running.values())]]

    def told(self):
        issued = [len(ids) for ids in self.issued()]
        minted = f"{len(issued)} processes, {sum(map(bool, issued))} of which minted {sum(issued)} IDs"
        return f"{minted}; {dict(self.events)}, cut {self.link.done}"

    def begin_missing(self):
        for at in range(PROCESSES):
            stream, _ = self.running.get(at, (None, None))
            if stream and stream.process.poll() is not None:
                self.end(at)
            if at not in self.running:
                self.running[at] = (self.start(self.clocks[at]), None)

    def something_happens(self, now):
        at = self.choose.randrange(PROCESSES)
        stream, resumes = self.running[at]
        event = self.choose.choices(["kill", "pause", "step", "cut", "none"], [1, 3, 4, 2, 30])[0]
        if resumes is not None:
            if now >= resumes:
                stream.resume()
                self.running[at] = (stream, None)
            return
        self.events[event] += 1
        if event == "kill":
            self.end(at)
        elif event == "pause":
            stream.pause()
            self.running[at] = (stream, now + self.choose.uniform(0, 3 * TTL_MS / 1_000))
        elif event == "step":
            furthest = self.choose.choice(self.steps_s)
            self.clocks[at].step(self.choose.uniform(-furthest, furthest))
        elif event == "cut":
            done = self.link.done
            fewest = [moment for moment in MOMENTS if done[moment] == min(done.values())]
            self.link.cut = self.choose.choice(fewest)

    def end(self, at):
        """kill -9; what lies in the pipe was issued."""
        stream, _ = self.running.pop(at)
        self.ended.append(stream.kill())


def clocks_of(new_clock):
    return [new_clock() for _ in range(PROCESSES)]


def linked(url):
    """A link to a database's server, and the URL by which it is reached there."""
    host, port = re.search(r"//(?:[^@/]*@)?([^:/]+):(\d+)/", url).groups()
    link = Link(host, int(port))
    return link, url.replace(f":{port}/", f":{link.port}/")


def has_been_tried(fleet):
    """Worker IDs have changed hands, and commits were cut at each moment."""
    return sum(map(bool, fleet.issued())) > PROCESSES and all(fleet.link.done.values())


def repeats(fleet):
    issued = [one for ids in fleet.issued() for one in ids]
    return len(issued) > len(set(issued))


@pytest.fixture(params=["postgres", "mariadb", "redis", "etcd", "zookeeper"])
def database(request):
    return request.param, request.getfixturevalue(request.param)


def test_a_fleet_repeats_nothing(snowmint, new_clock, database):
    kind, url = database
    choose = seeded(f"fleet on {kind}")
    link, through = linked(url)
    terms = f"layout={LAYOUT}&max_ahead_ms=0&reserve_ms={TTL_MS}&wait_ms=2000"
    snowmint.run("worker", "list", f"{url}&create=true").must_succeed()

    def start(clock):
        return snowmint.stream(f"snowflake+{through}&{terms}", clock=clock)

    with link:
        fleet = Fleet(start, clocks_of(new_clock), link, choose)
        done = fleet.run(has_been_tried)
    assert_sound(done)
    print(f"{kind}: {fleet.told()}")


@pytest.mark.parametrize("kind", ["etcd", "zookeeper"])
def test_a_fleet_on_three_members_repeats_nothing(snowmint, new_clock, kind):
    """One of which is killed, and started again, all the time."""
    choose, who = (seeded(f"{what} on three members of {kind}") for what in ("fleet", "deaths"))
    is_over, killed = threading.Event(), []

    def kill(members):
        while not is_over.wait(1):
            member = who.choice(members)
            member.restart()
            killed.append(member.address)

    with Members(kind) as members:
        host, port = members[0].address.split(":")
        link = Link(host, int(port))
        addresses = ",".join([f"{host}:{link.port}", *(member.address for member in members[1:])])
        url = f"{kind}://{addresses}/fleet"
        snowmint.run("migrate", url).must_succeed()
        terms = f"layout={LAYOUT}&max_ahead_ms=0&reserve_ms={TTL_MS}&wait_ms=2000"

        def start(clock):
            return snowmint.stream(f"snowflake+{url}?{terms}", clock=clock)

        killer = threading.Thread(target=kill, args=[members])
        with link:
            fleet = Fleet(start, clocks_of(new_clock), link, choose)
            killer.start()
            try:
                done = fleet.run(lambda fleet: has_been_tried(fleet) and len(killed) >= 3)
            finally:
                is_over.set()
                killer.join()
    assert_sound(done)
    print(f"{kind}, {len(killed)} of its members killed: {fleet.told()}")


def assert_sound(done):
    """Each error has its code, each process's IDs rise, and none is there twice."""
    for one in done:
        if one.status != -9:
            one.must_be_typed()
        assert_rising(one.ids)
    assert_disjoint(*(one.ids for one in done))


def make_leases(kind, url):
    """Creates the place of the plain leases, with worker IDs that anybody may take; returns a client to ask."""
    if kind == "redis":
        return ["redis-cli", "-e", "-u", url.partition("?")[0]]
    if kind == "etcd":
        return [f"http://{url.split('/')[2]}"]
    host, port, database = re.search(r"@([^:]+):(\d+)/([^?]+)", url).groups()
    at = ["mariadb", "--no-defaults", "-NB", "-u", "root", "-h", host, "-P", port, database, "-e"]
    client = ["psql", "-X", "-q", "-t", "-d", url, "-c"] if kind == "postgres" else at
    rows = ", ".join(f"({worker_id}, '', 0)" for worker_id in range(4))
    table = "ttl_lease (worker_id int PRIMARY KEY, owner varchar(64), expires_ms bigint)"
    for sql in (f"CREATE TABLE {table}", f"INSERT INTO ttl_lease VALUES {rows}"):
        subprocess.run([*client, sql], check=True)
    return client


@pytest.mark.parametrize("kind", ["postgres", "mariadb", "redis", "etcd"])
def test_leases_by_the_clock_alone_repeat_ids(request, tmp_path, new_clock, kind):
    choose = seeded(f"leases by the clock alone on {kind}")
    url = request.getfixturevalue(kind)
    script = str(Path(__file__).with_name("ttl_lease.py"))
    command = [sys.executable, script, str(TTL_MS), kind, *make_leases(kind, url)]
    link, _ = linked(url)

    def start(clock):
        return Stream(command, tmp_path, {**os.environ, **clock.environment})

    with link:
        # By an hour, two would hardly ever come to the same time.
        fleet = Fleet(start, clocks_of(new_clock), link, choose, steps_s=(1, 3))
        fleet.run(repeats)
    print(f"the clock alone on {kind}: {fleet.told()}")
