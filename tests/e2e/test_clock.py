"""Clocks set back, ahead, and to absurd times: IDs stay unique and rise, or are refused by a
message that names the times (laws L1, L3, L7, L8)."""

import re

import pytest
from driver import NO_ID, assert_disjoint, assert_rising, rounds, seeded

FIXED = "snowflake:?worker_id=7&layout=twitter"
LEASED = "snowflake+sqlite:ids.db?create=true&layout=twitter"
TWITTER_EPOCH_MS = 1_288_834_974_657
HOUR_S = 3_600
MOMENT = r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z"


def unix_ms(one):
    return (one >> 22) + TWITTER_EPOCH_MS


def killed_holder(snowmint, clock, source=FIXED):
    """The IDs of a process that was killed: what it had reserved stays so."""
    with snowmint.stream(source, clock=clock) as stream:
        stream.read(20_000)
        stream.kill()
        assert_rising(stream.ids)
        return stream.ids


def test_the_clock_is_the_one_that_the_tests_set(snowmint, clock):
    true = unix_ms(snowmint.mint("snowflake:?worker_id=1")[0])
    ahead = unix_ms(snowmint.mint("snowflake:?worker_id=2", clock=clock.set(HOUR_S))[0])
    back = unix_ms(snowmint.mint("snowflake:?worker_id=3", clock=clock.set(-HOUR_S))[0])
    leased = unix_ms(snowmint.mint(LEASED, clock=clock)[0])
    assert ahead > true + 1_800_000 and max(back, leased) < true - 1_800_000


@pytest.mark.parametrize("back_s", [0.2, 1, 3])
def test_a_restart_with_the_clock_a_little_back_goes_on_above_the_mark(snowmint, clock, back_s):
    issued = killed_holder(snowmint, clock)
    issued += snowmint.mint(FIXED, "-n", 1_000, clock=clock.set(-back_s))
    assert_rising(issued)


def test_a_restart_after_a_clean_end_goes_on_above_too(snowmint, clock):
    issued = []
    for back_s in (0, 0.5, 1, 1.5, 2):
        issued += snowmint.mint(FIXED, "-n", 10_000, clock=clock.set(-back_s))
    assert_rising(issued)


def test_a_restart_an_hour_back_is_refused_and_both_times_are_named(snowmint, clock):
    issued = killed_holder(snowmint, clock)
    refused = snowmint.run("id", FIXED, clock=clock.set(-HOUR_S))
    refused.must_refuse(NO_ID, saying=["worker ID 7", "reserved its time up to"])
    assert refused.ids == []
    now, reserved = re.findall(MOMENT, refused.errors)
    assert now < reserved and now[:10] <= reserved[:10]
    # The refusal changed nothing: with the clock set right it goes on.
    issued += snowmint.mint(FIXED, "-n", 1_000, clock=clock.set(0))
    assert_rising(issued)


def test_a_jump_ahead_keeps_its_mark_when_the_clock_is_put_right(snowmint, clock):
    before = snowmint.mint(FIXED, clock=clock)
    ahead = killed_holder(snowmint, clock.set(HOUR_S))
    snowmint.run("id", FIXED, clock=clock.set(0)).must_refuse(NO_ID, saying="reserved its time")
    after = snowmint.mint(FIXED, "-n", 1_000, clock=clock.set(HOUR_S + 60))
    assert_rising(before + ahead + after)


@pytest.mark.parametrize("source", [FIXED, LEASED], ids=["fixed", "leased"])
def test_a_process_whose_clock_is_stepped_while_it_runs(snowmint, clock, source):
    choose = seeded("steps")
    with snowmint.stream(source, clock=clock) as stream:
        stream.read(1_000)
        for _ in range(rounds(14)):
            clock.set(choose.uniform(-HOUR_S, HOUR_S))
            stream.read_for(choose.uniform(0, 0.15))
        stream.read(100_000)  # it still mints
        assert stream.process.poll() is None, stream.finish()
        stream.kill()
        assert_rising(stream.ids)


def test_a_running_process_does_not_follow_a_step_at_once(snowmint, clock):
    """Wall time is compared with boot time: a jump ahead that does not hold leaves no trace."""
    with snowmint.stream(FIXED, clock=clock) as stream:
        first = unix_ms(stream.read(1_000)[0])
        for offset_s in (HOUR_S, 0, -HOUR_S, 0):
            clock.set(offset_s)
            stream.read(200_000)
        clock.set(0)
        stream.kill()
        assert_rising(stream.ids)
        assert unix_ms(stream.ids[-1]) - first < 1_800_000


def test_leases_of_a_store_whose_clock_goes_back_and_forth(snowmint, clock):
    """Each process takes the worker IDs as it finds them, ten minutes off or not."""
    choose = seeded("store")
    fields = "time:41,worker:2,sequence:12"
    source = f"snowflake+sqlite:ids.db?create=true&layout={fields}&reserve_ms=500&max_ahead_ms=0&wait_ms=500"
    issued, refused = [], 0
    for _ in range(rounds(30)):
        clock.set(choose.choice([0, -600, 600, choose.uniform(-600, 600)]))
        done = snowmint.run("id", source, "-n", 5_000, clock=clock).must_be_typed()
        assert_rising(done.ids)
        issued.append(done.ids)
        refused += done.status != 0
    assert_disjoint(*issued)
    assert refused < len(issued), "each was refused"


def test_running_leases_while_the_clock_steps(snowmint, new_clock):
    """Two holders whose clocks, and so whose stores' clocks, disagree by up to twenty minutes."""
    choose = seeded("leases")
    source = LEASED + "&max_ahead_ms=0&reserve_ms=500&wait_ms=2000"
    clocks = [new_clock(), new_clock()]
    streams = [snowmint.stream(source, clock=clock) for clock in clocks]
    issued = []
    for _ in range(rounds(15)):
        which = choose.randrange(2)
        clocks[which].set(choose.uniform(-600, 600))
        for index, stream in enumerate(streams):
            stream.read_for(choose.uniform(0, 0.1))
            if stream.process.poll() is not None or (index == which and choose.random() < 0.3):
                stream.kill()
                issued.append(stream.ids)
                streams[index] = snowmint.stream(source, clock=clocks[index])
    for stream in streams:
        stream.kill()
        issued.append(stream.ids)
    for ids in issued:
        assert_rising(ids)
    assert_disjoint(*issued)


def test_renewing_a_lease_is_no_step_of_the_clock(snowmint):
    """A policy that fails at the slightest rollback, where the clock is right all the time."""
    source = LEASED + "&policy=twitter&reserve_ms=100"
    snowmint.shell(f"snowmint id '{source}' -n 4000000 > /dev/null").must_succeed()


def test_segments_do_not_care_for_the_clock(snowmint, clock):
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    issued = []
    for offset_s in (0, HOUR_S, -HOUR_S, -10 * 365 * 24 * HOUR_S, 0):
        issued += snowmint.mint("segment+sqlite:ids.db?tag=orders", clock=clock.set(offset_s))
    assert issued == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("source", [(FIXED,), (LEASED,), ()], ids=["fixed", "leased", "default"])
@pytest.mark.parametrize(
    ("moment", "words"),
    [
        ("1970-01-01 00:00:00", ["1970-01-01T00:00:00.000Z", "before the layout's epoch 2010-"]),
        ("2010-11-04 01:42:54", ["2010-11-04T01:42:54.000Z", "before the layout's epoch 2010-"]),
        ("2080-07-10 17:30:31", ["expired at 2080-07-10T17:30:30.209Z"]),
        ("2300-01-01 00:00:00", ["expired at 2080-07-10T17:30:30.209Z"]),
    ],
)
def test_times_that_the_layout_does_not_have(snowmint, clock, source, moment, words):
    refused = snowmint.run("id", *source, clock=clock.freeze(moment))
    refused.must_refuse(NO_ID, saying=words)
    assert refused.ids == []
    # Nothing of that time stays behind.
    assert len(snowmint.mint(*source, "-n", 10, clock=clock.set(0))) == 10


def test_a_layout_that_expires_while_it_mints(snowmint, clock):
    """The last IDs of the layout come out, then it says since when; none wraps around."""
    for worker, second in enumerate((29, 25, 15, 0)):  # a busy machine may be that late to begin
        clock.freeze(f"@2080-07-10 17:30:{second}")
        source = f"snowflake:?layout=twitter&worker_id={worker}"
        with snowmint.stream(source, clock=clock) as stream:
            done = stream.finish().must_refuse(NO_ID, saying="at 2080-07-10T17:30:30.209Z")
        if done.ids:
            break
    assert done.ids
    assert_rising(done.ids)
    assert all(one >> 63 == 0 for one in done.ids)


@pytest.mark.parametrize("layout", ["baidu-default", "lingdu"])
def test_expired_layouts_decode_and_refuse_to_mint(snowmint, clock, layout):
    clock.freeze("2027-01-01 00:00:00")  # whenever the tests run, after the end of both
    refused = snowmint.run("id", f"snowflake:?worker_id=1&layout={layout}", clock=clock)
    refused.must_refuse(NO_ID, saying=["the layout expired at 20", "it decodes, but mints no more"])
    decoded = snowmint.run("decode", "--layout", layout, "123456789012345678").must_succeed()
    assert layout in decoded.output


def test_a_frozen_clock_mints_what_the_policy_allows_and_then_says_so(snowmint, clock):
    """A clock that stands still gives a tick's IDs and what may be borrowed, never one twice."""
    clock.freeze("2026-06-01 12:00:00")
    source = FIXED + "&policy=twitter&wait_ms=200"
    done = snowmint.run("id", source, "-n", 20_000, clock=clock).must_be_typed()
    assert_rising(done.ids)
    again = snowmint.run("id", source, "-n", 5, clock=clock).must_be_typed()
    assert_rising(done.ids + again.ids)
