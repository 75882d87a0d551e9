"""Worker IDs by Leaf's own nodes in ZooKeeper."""

import re

import pytest
from driver import NO_ID, REPOSITORY, assert_disjoint
from services import eventually

HOUR = 3_600


@pytest.fixture
def nodes(zookeeper):
    """The URL of a Leaf's nodes, but for the address."""
    address = zookeeper.partition("?")[0]
    return f"snowflake+{address}/snowflake/shop?dialect=leaf&layout=leaf&wait_ms=60000&address="


def minted(snowmint, source):
    """Once ZooKeeper answers in time: one that does not is taken for one that is away."""
    ids = []

    def has_begun():
        ids.extend(snowmint.run("id", source).must_be_typed().ids)
        return ids

    eventually(has_begun)
    return ids


def test_a_killed_process_repeats_nothing_at_its_address(snowmint, nodes):
    with snowmint.stream(f"{nodes}10.0.0.7:8080") as first:
        first.read(5_000)
        first.kill()
    second = snowmint.mint(f"{nodes}10.0.0.7:8080", "-n", 5_000)
    other = snowmint.mint(f"{nodes}10.0.0.8:8080", "-n", 5_000)
    assert_disjoint(first.ids, second, other)
    assert {id_ >> 12 & 1023 for id_ in [*first.ids, *second]} == {0}
    assert {id_ >> 12 & 1023 for id_ in other} == {1}


@pytest.mark.parametrize("off", [-HOUR, HOUR])
def test_a_clock_an_hour_off_among_three_is_refused(snowmint, clock, nodes, tmp_path, off):
    own = f"{nodes}10.0.0.7:8080&cache={tmp_path}/leafconf"
    before = minted(snowmint, own)
    peers = [snowmint.stream(f"{nodes}10.0.0.{number}:1") for number in (1, 2, 3)]
    with peers[0], peers[1], peers[2]:
        for peer in peers:
            peer.read(10)
        done = snowmint.run("id", own, clock=clock.set(off))
        done.must_refuse(NO_ID, saying=["error[clock_differs]", "the average"])
        assert re.search("ahead of" if off > 0 else "behind", done.errors), done
        for peer in peers:
            peer.kill()
    assert minted(snowmint, own) > before
