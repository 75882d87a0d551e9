"""Rounds of chance: processes that are killed, paused and resumed while their clocks step by up to
an hour. No ID twice, each process's IDs in order, each error typed. SNOWMINT_E2E_ROUNDS=200 is the
long form."""

import pytest
from driver import assert_disjoint, assert_rising, rounds, seeded

HOUR_S = 3_600
SOURCES = {
    "fixed": "snowflake:?worker_id=7&wait_ms=500",
    "leased": "snowflake+sqlite:ids.db?create=true&max_ahead_ms=0&reserve_ms=400&wait_ms=500",
    "few": "snowflake+sqlite:ids.db?create=true&layout=time:41,worker:2,sequence:12&max_ahead_ms=0&reserve_ms=400"
    "&wait_ms=500",
    "segment": "segment+sqlite:ids.db?tag=orders&wait_ms=500",
}


class Round:
    """Up to three processes on one source, and what chance does to them."""

    def __init__(self, snowmint, source, choose, clocks):
        self.snowmint, self.source, self.choose, self.clocks = snowmint, source, choose, clocks
        self.streams = []

    def run(self):
        """All IDs of each process."""
        try:
            for clock in self.clocks[: self.choose.randint(1, len(self.clocks))]:
                clock.set(self.offset(clock))
                self.streams.append(self.start(clock))
            for _ in range(self.choose.randint(1, 4)):
                self.something_happens()
        finally:
            done = [stream.kill() for stream in self.streams]
        for one in done:
            if one.status != -9:
                one.must_be_typed()
            assert_rising(one.ids)
        return [one.ids for one in done]

    def start(self, clock):
        source = self.source
        if source.startswith("segment"):
            source += f"&step={self.choose.choice([100, 10_000, 65_536])}"
        count = self.choose.choice([1, 20, 5_000, 1_000_000_000])
        return self.snowmint.stream(source, clock=clock, count=count)

    def offset(self, clock):
        """Often a little further than before, so that not every start is refused."""
        if self.choose.random() < 0.5:
            return max(one.offset_s for one in self.clocks) + self.choose.uniform(0, 60)
        return clock.offset_s + self.choose.uniform(-HOUR_S, HOUR_S)

    def something_happens(self):
        clock, stream = self.choose.choice(self.clocks), self.choose.choice(self.streams)
        event = self.choose.choice(["kill", "pause", "step", "step", "read"])
        if event == "kill":
            stream.kill()
        elif event == "pause":
            stream.pause()
            self.choose.choice(self.clocks).step(self.choose.uniform(-HOUR_S, HOUR_S))
            self.read_others(stream)
            stream.resume()
        elif event == "step":
            clock.step(self.choose.uniform(-HOUR_S, HOUR_S))
        self.read_others(None)

    def read_others(self, paused):
        for stream in self.streams:
            if stream is not paused:
                stream.read_for(self.choose.uniform(0, 0.06))


@pytest.mark.parametrize("name", SOURCES)
def test_rounds_of_chance(snowmint, new_clock, name):
    choose, source = seeded(name), SOURCES[name]
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    clocks = [new_clock() for _ in range(3)]
    issued, highest = [], 0
    for number in range(rounds(20)):
        together = Round(snowmint, source, choose, clocks).run()
        issued += together
        if name in ("fixed", "segment") and any(together):
            # One worker ID, one tag: each round goes on above all rounds before it.
            assert min(ids[0] for ids in together if ids) > highest, f"round {number}"
            highest = max(ids[-1] for ids in together if ids)
    # Past all that was reserved, everything still works.
    last = clocks[0].set(max(one.offset_s for one in clocks) + 100 * HOUR_S)
    issued.append(snowmint.mint(source, "-n", 100, clock=last))
    assert_disjoint(*issued)
    minting = sum(bool(ids) for ids in issued)
    print(f"{len(issued)} processes, {minting} of them minted, {sum(map(len, issued))} IDs")
    assert minting > 3, "too few came to mint"
