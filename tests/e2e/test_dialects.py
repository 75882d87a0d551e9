"""Another generator's table at the command line, beside its owner's own statement."""

import json
import re
import subprocess

import pytest

from driver import INPUT, STORE
from tables import leaf_alloc

LEAF = leaf_alloc(step=10)
OWNER = "UPDATE leaf_alloc SET max_id = max_id + step WHERE biz_tag = 'orders'"
IDS = "CREATE TABLE orders (id bigint PRIMARY KEY); INSERT INTO orders VALUES (777)"


@pytest.fixture(params=["postgres", "mariadb"])
def database(request):
    """The URL of a new database, and what runs statements there."""
    url = request.getfixturevalue(request.param)
    if request.param == "postgres":
        client = ["psql", "-X", "-q", "-d", url, "-c"]
    else:
        host, port, name = re.search(r"@(.*):(\d+)/(\w+)", url).groups()
        client = ["mariadb", "--no-defaults", "-u", "root", "-h", host, "-P", port, name, "-e"]
    return url, lambda statements: subprocess.run([*client, statements], check=True)


def test_a_table_of_leaf(snowmint, database):
    url, run = database
    leaf = f"{url}&dialect=leaf"
    missing = snowmint.run("segment", "list", leaf)
    missing.must_refuse(STORE, saying=["error[store_missing]", "leaf_alloc", "owner's script"])
    run(LEAF)
    assert snowmint.mint(f"segment+{leaf}&tag=orders", "-n", 3) == [1, 2, 3]
    run(OWNER)  # which has 4 to 13
    assert snowmint.mint(f"segment+{leaf}&tag=orders", "-n", 2) == [14, 15]

    snowmint.run("segment", "create", leaf, "bills", "--start", 5, "--step", 4).must_succeed()
    snowmint.run("segment", "raise", leaf, "bills", "--next", 50).must_succeed()
    fallen = snowmint.run("segment", "raise", leaf, "bills", "--next", 49)
    fallen.must_refuse(saying="error[range_regressed]")
    run(IDS)
    snowmint.run("segment", "raise", leaf, "orders", "--from", "orders.id").must_succeed()
    listed = snowmint.run("segment", "list", leaf, "--json").must_succeed().output
    rows = [json.loads(line) for line in listed.splitlines()]
    assert [(row["tag"], row["next"], row["step"]) for row in rows] == [
        ("bills", "50", 4),
        ("orders", "778", 10),
    ]
    migrated = snowmint.run("migrate", leaf)
    migrated.must_refuse(saying=["error[unsupported]", "leave dialect out"])
    assert "those of dialect=leaf are there" in snowmint.run("doctor", leaf).output
    workers = snowmint.run("id", f"snowflake+{leaf}")
    workers.must_refuse(saying=["error[invalid_parameter]", "no worker IDs"])


def test_a_table_of_leaf_is_adopted(snowmint, database):
    url, run = database
    run(LEAF)
    run(OWNER)
    run(IDS)
    found = snowmint.run("adopt", url, "--from", "orders.id", "--json").must_succeed().output
    rows = [json.loads(line) for line in found.splitlines()]
    assert [(row["of"], row.get("next", row.get("largest"))) for row in rows] == [
        ("leaf", "11"),
        ("column", "777"),
    ]
    # No sequence fills the column, and so none says its tag.
    unnamed = snowmint.run("adopt", url, "--from", "orders.id", "--check")
    unnamed.must_refuse(INPUT, saying="name it by --tag")
    behind = snowmint.run("adopt", url, "--from", "orders.id", "--check", "--tag", "orders")
    words = "orders goes on at", "(leaf, next 11", "orders.id has IDs up to 777"
    assert behind.status == STORE and all(it in behind.output for it in words), behind
    snowmint.run("migrate", url).must_succeed()
    snowmint.run("segment", "create", url, "bills").must_succeed()
    named = snowmint.run("adopt", url, "--from", "orders.id", "--check", "--tag", "bills")
    assert (named.status, "bills goes on" in named.output) == (STORE, True), named
    adopt = ["adopt", f"{url}&dialect=leaf", "--tag", "orders", "--from", "orders.id", "--into", url]
    snowmint.run(*adopt).must_succeed()
    assert snowmint.mint(f"segment+{url}&tag=orders", "-n", 2) == [778, 779]
    snowmint.run(*adopt, "--check").must_succeed()
    # Leaf goes on in the same numbers.
    both = snowmint.run("adopt", url, "--check")
    assert (both.status, "(leaf, next 11" in both.output) == (STORE, True)


def test_rows_that_no_tag_can_be_made_of_stop_no_other_one(snowmint, database):
    url, run = database
    run(LEAF)
    run("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('..', 1, 10)")
    snowmint.run("migrate", url).must_succeed()
    adopted = snowmint.run("adopt", url, "--into", url, "--json")
    assert (adopted.status, "snowmint: .. is left out" in adopted.errors) == (0, True), adopted
    assert [json.loads(line)["tag"] for line in adopted.output.splitlines()] == ["orders"]
    run("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('odd', -5, 10)")
    snowmint.run("adopt", url, "--into", url).must_refuse(STORE, saying="max_id = -5")
    snowmint.run("adopt", url, "--tag", "orders", "--into", url).must_succeed()
    snowmint.run("adopt", url, "--tag", "none").must_refuse(INPUT, saying="of a tag none")


def test_a_sequence_that_counts_by_blocks_is_adopted_above_its_last(snowmint, postgres):
    run = ["psql", "-X", "-q", "-d", postgres, "-c"]
    made = "CREATE SEQUENCE order_ids INCREMENT BY 50; SELECT nextval('order_ids')"
    subprocess.run([*run, made], check=True, stdout=subprocess.DEVNULL)
    snowmint.run("migrate", postgres).must_succeed()
    snowmint.run("adopt", postgres, "--tag", "order_ids", "--into", postgres).must_succeed()
    # Its owner may have 1 to 50 of the value 1.
    assert snowmint.mint(f"segment+{postgres}&tag=order_ids") == [51]


def test_a_sequence_is_adopted_with_its_end(snowmint, postgres):
    made = """
        CREATE SEQUENCE seats MAXVALUE 1000; SELECT setval('seats', 990);
        CREATE SEQUENCE sold_out MAXVALUE 10; SELECT setval('sold_out', 10);
        CREATE SEQUENCE again MAXVALUE 100 CYCLE; SELECT setval('again', 50);
        CREATE SEQUENCE below MINVALUE -100 START WITH -100; SELECT nextval('below');
        CREATE SEQUENCE plain;
    """
    run = ["psql", "-X", "-q", "-d", postgres, "-c"]
    subprocess.run([*run, made], check=True, stdout=subprocess.DEVNULL)
    snowmint.run("migrate", postgres).must_succeed()
    for cure in ('ALTER SEQUENCE "again" NO CYCLE', 'ALTER SEQUENCE "below" RESTART WITH 1'):
        adopted = snowmint.run("adopt", postgres, "--into", postgres)
        adopted.must_refuse(STORE, saying=cure.removesuffix(" 1"))
        subprocess.run([*run, cure], check=True)
    snowmint.run("adopt", postgres, "--into", postgres).must_succeed()
    listed = snowmint.run("segment", "list", postgres, "--json").must_succeed().output
    rows = {row["tag"]: (row["next"], row["max"]) for row in map(json.loads, listed.splitlines())}
    last = str(2**63 - 2)
    assert rows == {
        "seats": ("991", "1000"),
        "sold_out": ("11", "10"),
        "again": ("51", "100"),
        "below": ("1", last),
        "plain": ("1", last),
    }
    sequences = f"{postgres}&dialect=sequence"
    found = snowmint.run("doctor", sequences).output
    assert "ALTER SEQUENCE with a larger MAXVALUE" in found and "segment set" not in found
    assert snowmint.mint(f"segment+{sequences}&tag=below", "-n", 2) == [1, 2]
