"""Processes that mint at once, stop, go on and die: no ID twice (laws L1, L3, L8, L10)."""

import json
import shutil
import time

import pytest
from driver import NO_ID, STORE, assert_disjoint, assert_rising, rounds, seeded, workers

LEASED = "snowflake+sqlite:ids.db?create=true&layout=twitter"
ORDERS = "segment+sqlite:ids.db?tag=orders"


def create_tag(snowmint, *options):
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders", *options).must_succeed()


@pytest.mark.parametrize("source", [(), (LEASED,)], ids=["default", "url"])
def test_processes_at_once_have_worker_ids_of_their_own(snowmint, source):
    streams = [snowmint.stream(*source) for _ in range(8)]
    try:
        batches = [stream.read(2_000) for stream in streams]  # each waits for its reader, alive
        held = [workers(ids) for ids in batches]
        assert all(len(one) == 1 for one in held)
        assert len(set.union(*held)) == len(streams), held
        database = snowmint.state / "ids.db" if source == () else "ids.db"
        listed = snowmint.run("worker", "list", "--json", database).must_succeed()
        rows = [json.loads(line) for line in listed.output.splitlines()]
        assert {row["worker_id"] for row in rows if row["held"]} == set.union(*held)
        assert len({row["owner"] for row in rows}) == len(streams)
    finally:
        for stream in streams:
            stream.kill()
    for stream in streams:
        assert_rising(stream.ids)
    assert_disjoint(*(stream.ids for stream in streams))


def test_thirty_short_processes_at_once(snowmint):
    # One file serves one after the other: the last may wait for long.
    source = "snowflake+sqlite:ids.db?create=true&wait_ms=100000"
    streams = [snowmint.stream(source, count=2_000) for _ in range(30)]
    done = [stream.finish().must_succeed() for stream in streams]
    for one in done:
        assert len(one.ids) == 2_000
        assert_rising(one.ids)
    assert_disjoint(*(one.ids for one in done))


def test_a_loop_of_short_processes_does_not_run_out_of_worker_ids(snowmint):
    """On 64 of them, at most 20 a second: more processes than worker IDs, each for a moment."""
    source = "snowflake+sqlite:ids.db?create=true&layout=time:41,worker:6,sequence:16&wait_ms=0"
    loop = f"for i in $(seq 80); do snowmint id '{source}' && sleep 0.05 || exit; done"
    ids = snowmint.shell(loop).must_succeed().ids
    assert len(ids) == 80
    assert_disjoint(ids)


def test_two_shells_at_once(snowmint):
    line = "for i in $(seq 12); do snowmint id -n 300; done"
    output = snowmint.shell(f"({line}) > one & ({line}) > two & wait").must_succeed()
    assert output.errors == ""
    shells = [
        list(map(int, (snowmint.directory / name).read_text().split())) for name in ("one", "two")
    ]
    assert [len(ids) for ids in shells] == [3_600, 3_600]
    assert_disjoint(*shells)


def test_processes_in_turn_rise(snowmint):
    ids = [one for _ in range(10) for one in snowmint.mint(LEASED, "-n", 100)]
    assert_disjoint(ids)
    times = [one >> 22 for one in ids]
    assert times == sorted(times)


def test_two_fixed_worker_ids_do_not_meet_and_one_is_held_once(snowmint):
    one, two = (snowmint.stream(f"snowflake:?worker_id={worker}") for worker in (1, 2))
    with one, two:
        assert_disjoint(one.read(5_000), two.read(5_000))
        second = snowmint.run("id", "snowflake:?worker_id=1")
        second.must_refuse(3, saying="holds worker 1")
        assert second.ids == []
        assert workers(one.ids) == {1} and workers(two.ids) == {2}


def test_two_processes_on_one_tag(snowmint):
    create_tag(snowmint, "--step", 100)
    steps = ["&step=1000", "&step=777", ""]
    streams = [snowmint.stream(ORDERS + step, count=30_000) for step in steps]
    done = [stream.finish().must_succeed() for stream in streams]
    for one in done:
        assert len(one.ids) == 30_000
        assert_rising(one.ids)
    assert_disjoint(*(one.ids for one in done))


def test_a_stride_keeps_databases_apart(snowmint):
    for name, start in [("a.db", 1), ("b.db", 2)]:
        options = ("--start", start, "--stride", 2)
        store = f"sqlite:{name}?create=true"
        snowmint.run("segment", "create", store, "orders", *options).must_succeed()
    a, b = (snowmint.mint(f"segment+sqlite:{name}.db?tag=orders", "-n", 5_000) for name in "ab")
    assert {one % 2 for one in a} == {1} and {one % 2 for one in b} == {0}
    assert_disjoint(a, b)


def test_a_segment_goes_on_above_after_kill_9(snowmint):
    create_tag(snowmint)
    choose = seeded("segment")
    issued = []
    for _ in range(rounds(12)):
        # `issued` rises: a process that starts after another has died is above it.
        with snowmint.stream(ORDERS + f"&step={choose.choice([1_000, 20_000, 100_000])}") as stream:
            stream.read_for(choose.uniform(0, 0.25))
            stream.kill()
            issued += stream.ids
        issued += snowmint.mint(ORDERS, "-n", 50)
        assert_rising(issued)
    listed = snowmint.run("segment", "list", "ids.db", "--json").must_succeed()
    assert int(json.loads(listed.output)["next"]) > issued[-1]


@pytest.mark.parametrize("source", ["snowflake:?worker_id=3", LEASED], ids=["fixed", "leased"])
def test_a_worker_id_goes_on_above_after_kill_9(snowmint, source):
    choose = seeded("worker")
    issued = []
    for _ in range(rounds(4)):
        with snowmint.stream(source) as stream:
            stream.read_for(choose.uniform(0, 0.15))
            stream.kill()
            assert_rising(stream.ids)
            issued.append(stream.ids)
        issued.append(snowmint.mint(source, "-n", 50))
    assert_disjoint(*issued)
    if source != LEASED:
        assert_rising([one for ids in issued for one in ids])


def test_a_policy_that_does_not_borrow_waits_for_what_a_killed_process_had_reserved(snowmint):
    source = "snowflake:?worker_id=7&policy=twitter"
    killed = snowmint.stream(source)
    killed.read(1_000)
    killed.kill()
    assert_rising(killed.ids + snowmint.mint(source, "-n", 10))


SHORT_LEASES = "&epoch_ms=1700000000000&max_ahead_ms=0&reserve_ms=500"


def short_leases(worker_bits):
    """A source of short leases, with few worker IDs to fight for."""
    worker = f"worker:{worker_bits}," if worker_bits else ""
    return f"snowflake+sqlite:ids.db?create=true&layout=time:41,{worker}sequence:12{SHORT_LEASES}"


def take_over(snowmint, source, paused, is_taken):
    """Mints in other processes until one of them has a worker ID that was held; all their IDs."""
    issued = []
    for _ in range(200):
        other = snowmint.run("id", source + "&start=random:100", "-n", 20_000).must_be_typed()
        issued.append(other.ids)
        if "error[store_locked]" in other.errors:
            # It stands still in the middle of a transaction.
            paused.resume()
            time.sleep(0.1)
            paused.pause()
        if is_taken(other.ids):
            return issued
        time.sleep(0.05)
    raise AssertionError("the paused holder's worker ID was never taken over")


def test_a_holder_paused_past_its_lease(snowmint):
    """While holders sleep, others take over; those that wake finish what was theirs, no more."""
    source = short_leases(worker_bits=2)

    def workers(ids):
        return {one >> 12 & 3 for one in ids}

    issued = []
    patient = source + "&wait_ms=60000"  # a busy machine takes seconds
    with snowmint.stream(patient) as first, snowmint.stream(patient) as second:
        first.read(50_000), second.read(50_000)
        for paused in (first, second):
            paused.pause()
            held = workers(paused.ids[-1:])
            taken = lambda ids, held=held: workers(ids) & held
            issued += take_over(snowmint, source, paused, taken)
            paused.resume()
            paused.read(200_000)
        for stream in (first, second):
            assert stream.process.poll() is None, stream.finish()
            stream.kill()
            assert_rising(stream.ids)
            issued.append(stream.ids)
    assert_disjoint(*issued)


def test_a_holder_that_wakes_takes_the_only_worker_id_back(snowmint):
    source = short_leases(worker_bits=0)
    with snowmint.stream(source + "&wait_ms=60000") as paused:
        paused.read(50_000)
        paused.pause()
        issued = take_over(snowmint, source, paused, bool)
        paused.resume()
        paused.read(200_000)
        assert paused.process.poll() is None, paused.finish()
        paused.kill()
        assert_rising(paused.ids)
        assert_disjoint(paused.ids, *issued)


def test_a_lease_that_is_released_by_hand(snowmint):
    """`worker release` lets another take over; what the old holder goes on with stays its own."""
    source = LEASED + "&max_ahead_ms=0&reserve_ms=500"
    with snowmint.stream(source) as old:
        for _ in range(50):  # on a busy machine the lease may be over before it is released
            (worker,) = workers(old.read(20_000)[-1:])
            told = snowmint.run("worker", "release", "ids.db", worker)
            if told.status != 0:
                break
        assert told.status == 2 and "--yes" in told.errors, told
        snowmint.run("worker", "release", "ids.db", worker, "--yes").must_succeed()
        with snowmint.stream(source) as new:
            new.read(100_000), old.read(100_000)
            new.read_for(0.5), old.read_for(0.5)  # into the next renewals
            new.read(200_000), old.read(200_000)
            new.kill(), old.kill()
            for ids in (new.ids, old.ids):
                assert_rising(ids)
            assert_disjoint(new.ids, old.ids)


def test_a_database_that_vanishes_is_an_error_not_a_new_beginning(snowmint):
    create_tag(snowmint)
    with snowmint.stream(ORDERS + "&step=20000&wait_ms=5000") as stream:
        stream.read(50_000)
        (snowmint.directory / "ids.db").rename(snowmint.directory / "gone.db")
        done = stream.finish()
        done.must_refuse(STORE)
        assert_rising(done.ids)
    (snowmint.directory / "gone.db").rename(snowmint.directory / "ids.db")
    assert snowmint.mint(ORDERS)[0] > done.ids[-1]


@pytest.mark.parametrize("source", [ORDERS + "&step=20000", LEASED + "&reserve_ms=500&max_ahead_ms=0"])
def test_a_database_put_in_the_place_of_another_is_not_used(snowmint, source):
    """An older copy, moved over the file that is in use: what it knows is out of date."""
    create_tag(snowmint)
    database, copy = snowmint.directory / "ids.db", snowmint.directory / "copy.db"
    shutil.copy(database, copy)
    with snowmint.stream(source + "&wait_ms=5000") as stream:
        stream.read(50_000)
        copy.rename(database)
        done = stream.finish()
        done.must_refuse(NO_ID, STORE, saying="is another file than the one that was opened")
        # Opened anew as it is, it would give what was given.
        assert "raise each tag" in done.errors and "snowmint segment raise" in done.errors, done
        assert_rising(done.ids)
