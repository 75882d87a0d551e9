# --8<-- [start:fixtures]
import uuid

import pytest
import snowmint


@pytest.fixture
def store():
    """A store for one test: its name is used nowhere else."""
    return f"memory:{uuid.uuid4()}"


@pytest.fixture
def flake(store):
    with snowmint.open(f"snowflake+{store}") as flake:
        yield flake


def test_orders_are_numbered_from_1(store):
    with snowmint.open(f"segment+{store}?tag=orders") as orders:
        assert [orders.next_id(), orders.next_id()] == [1, 2]
# --8<-- [end:fixtures]


# --8<-- [start:frozen]
import freezegun


@freezegun.freeze_time("2012-01-14")
def test_a_frozen_clock_does_not_change_ids(flake):
    assert flake.layout.decode(flake.next_id()).time.year > 2012
# --8<-- [end:frozen]


# --8<-- [start:exact]
from snowmint import Layout, engine


class FixedIds:
    def __init__(self, unix_ms):
        self.machine = engine.Snowflake(Layout.TWITTER, worker_id=378)
        self.unix_ms = unix_ms

    def next_id(self):
        return self.machine.next_id(self.unix_ms)


def test_a_time_of_yours_gives_exact_ids():
    exact = FixedIds(1656432460105)
    assert [exact.next_id(), exact.next_id()] == [1541815603606036480, 1541815603606036481]
# --8<-- [end:exact]
