"""``snowmint adopt --into``: tags go on as they were, above all that was given."""

import json

import pytest
from driver import INPUT, NO_ID


@pytest.fixture
def stores(tmp_path):
    """Two stores that were used, and one to go on in."""
    return [f"sqlite:{tmp_path / name}.db?create=true" for name in ("one", "other", "into")]


def tags(snowmint, store):
    rows = snowmint.run("segment", "list", store, "--json").must_succeed().output.splitlines()
    return {row["tag"]: row for row in map(json.loads, rows)}


def test_a_tag_keeps_its_max(snowmint, stores):
    one, _, into = stores
    # One number is left: of a tag that was used, the last one may have been fetched ahead.
    snowmint.run("segment", "create", one, "seats", "--start", 5, "--max", 5).must_succeed()
    snowmint.run("adopt", one, "--into", into).must_succeed()
    full = snowmint.run("id", "-n", 2, f"segment+{into}&tag=seats").must_refuse(NO_ID)
    assert (full.ids, "tag_exhausted" in full.errors) == ([5], True)
    # One that has no number left has none in the next store either, until its max is raised.
    snowmint.run("adopt", into, "--into", one).must_succeed()
    snowmint.run("id", f"segment+{one}&tag=seats").must_refuse(NO_ID, saying="tag_exhausted")
    snowmint.run("segment", "set", one, "seats", "--max", 6).must_succeed()
    assert snowmint.mint(f"segment+{one}&tag=seats") == [6]


def test_numbers_above_a_max_are_told_before_anything_is_made(snowmint, stores):
    one, other, into = stores
    snowmint.run("segment", "create", one, "seats", "--max", 5).must_succeed()
    snowmint.run("segment", "create", other, "seats", "--start", 100).must_succeed()
    snowmint.run("migrate", into).must_succeed()
    both = snowmint.run("adopt", one, other, "--into", into)
    both.must_refuse(INPUT, saying=["below 100 were given, and its max is 5", "--max NUMBER"])
    assert tags(snowmint, into) == {}


def test_a_tag_stays_in_its_class(snowmint, stores):
    one, other, into = stores
    for store, start in ((one, 1), (other, 2)):
        words = ("orders", "--stride", 4, "--start", start, "--step", 10)
        snowmint.run("segment", "create", store, *words).must_succeed()
        snowmint.mint("-n", 3, f"segment+{store}&tag=orders")
    snowmint.run("adopt", one, "--into", into).must_succeed()
    row = tags(snowmint, into)["orders"]
    assert (int(row["next"]) % 4, row["stride"], row["step"]) == (1, 4, 10)
    # The numbers of both stores are of two classes, so one tag for both is of none.
    both = f"{into.split('?')[0]}.both?create=true"
    snowmint.run("adopt", one, other, "--into", both).must_succeed()
    row = tags(snowmint, both)["orders"]
    assert (int(row["next"]) > 10, row["stride"]) == (True, 1)


def test_sequences_go_on(snowmint, stores):
    one, other, into = stores

    def next_of(store, keys, key=42):
        return snowmint.mint("--key", key, f"sequences+{store}&tag=chat&keys_per_section={keys}")

    [last] = next_of(one, 100)
    snowmint.run("adopt", one, "--into", into).must_succeed()
    [number] = next_of(into, 100)
    assert number > last
    # With other sections a key's numbers are another section's.
    next_of(other, 1000)
    words = "sections of these sequences have 1"
    snowmint.run("adopt", other, "--into", into).must_refuse(INPUT, saying=words)
    snowmint.run("adopt", one, other, "--into", into).must_refuse(INPUT, saying=words)
