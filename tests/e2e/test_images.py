"""Twins of one image: with `on_restore()` they share no ID, and without it those that
docs/guides/fork-and-snapshot.md names. `scripts/check-images` runs this file.
"""

import time

import pytest
from driver import HANG_S, rounds
from images import Machines, Processes

# Twice as many UUIDs are more than a thread makes of one seed of the kernel's.
COUNT = 2_500
# The first renewal comes after a third of a reservation, while the first IDs are minted.
LEASE = "start=zero&max_ahead_ms=8000&reserve_ms=16000"
STEP = 1_000


@pytest.fixture(params=[Machines, Processes])
def images(request, tmp_path):
    return request.param(tmp_path)


@pytest.fixture
def urls(images, snowmint, postgres, start_service):
    """The URLs of sources, by name."""
    snowmint.run("migrate", postgres).must_succeed()
    snowmint.run("segment", "create", postgres, "orders").must_succeed()
    service = start_service("--leases-store", postgres)
    stores = {
        "SQLite": f"sqlite:{images.state.parent}/ids.db?create=true",
        "PostgreSQL": postgres.replace("127.0.0.1", images.host),
        "the ID service": f"http://{images.host}:{service.http[1]}?wait_ms=5000",
    }
    return {
        "fixed": f"snowflake:?worker_id=1&state={images.state}&start=zero",
        **{f"leased on {name}": f"snowflake+{store}&{LEASE}" for name, store in stores.items()},
        **{
            f"segment on {name}": f"segment+{store}&tag=orders&step={STEP}"
            for name, store in stores.items()
        },
        "daily": f"daily+{stores['PostgreSQL']}&tag=invoices&step={STEP}",
        "sequences": f"sequences+{stores['PostgreSQL']}&tag=chat&step={STEP}",
        "ring": f"snowflake+{stores['PostgreSQL']}&{LEASE}&ring=64",
        "uuid 4": "uuid:?version=4",
        "uuid 7": "uuid:?version=7",
    }


@pytest.fixture
def before(images, urls):
    """Stores an image of a program with these sources, and returns the IDs that they gave before."""
    with images.start() as program:
        for url in urls.values():
            assert program.ask(f"open {url}") == []
        minted = by_source(urls, program.ask("mint 10"))
        images.store(program)
    return minted


def by_source(names, answer):
    """Returns the IDs of each source."""
    minted = {name: [] for name in names}
    for index, kind, value in map(str.split, answer):
        if kind == "id":
            minted[[*names][int(index)]].append(value)
    return minted


def mint(names, twins):
    for twin in twins:
        twin.tell(f"mint {COUNT}")
    return [by_source(names, twin.answer()) for twin in twins]


def repeated(names, minted):
    """Returns the number of IDs that each source repeats, if it repeats any."""
    counts = {}
    for name in names:
        ids = [one for process in minted for one in process.get(name, [])]
        counts[name] = len(ids) - len(set(ids))
    return {name: count for name, count in counts.items() if count > 0}


def copied(images, names):
    """Returns the sources that are in the image as a whole: with their store, or with their state file.
    The state file of a restored process is another one than it had opened, so it stops."""
    return {name for name in names if isinstance(images, Machines) and ("SQLite" in name or name == "fixed")}


def test_twins_that_call_on_restore_share_no_id(images, urls, before):
    names = [*urls, "fixed anew"]
    minted = [before]
    for number in range(rounds(3)):
        with images.restore("first") as first, images.restore("second") as second:
            for worker_id, twin in enumerate((first, second), 2 * number + 2):
                assert twin.ask("restore") == []
                assert twin.ask(f"open {urls['fixed'].replace('=1&', f'={worker_id}&')}") == []
            twins = mint(names, (first, second))
        assert not any(twin["fixed"] for twin in twins)
        assert all(twin[name] for twin in twins for name in names if name != "fixed")
        minted += twins
        print({name: sum(len(twin[name]) for twin in twins) for name in names})
    found = repeated(names, minted)
    inside = copied(images, urls) - {"fixed"}
    assert set(found) <= inside, found
    assert not inside or "segment on SQLite" in found


def test_twins_that_do_not_call_it_repeat_ids_until_they_reserve_anew(images, urls, before):
    for_ever = copied(images, urls)
    end = time.monotonic() + HANG_S
    with images.restore("first") as first, images.restore("second") as second:
        # Both begin as soon as they run, so their clocks show the same times.
        at_first = repeated(urls, mint(urls, (first, second)))
        while not set(later := repeated(urls, mint(urls, (first, second)))) <= for_ever:
            assert time.monotonic() < end, later
    print(at_first, later)
    # Rings discard their IDs, and UUIDs with a time are rarely of the same millisecond.
    rare = {"ring", "uuid 7"} | ({"fixed"} - for_ever)
    assert set(urls) - rare <= set(at_first), at_first
