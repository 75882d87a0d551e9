"""Applications that share a store, each with a namespace of its own."""

import sqlite3
from contextlib import closing

from driver import INPUT


def test_two_applications_never_share_numbers(snowmint):
    create = ["segment", "create", "sqlite:ids.db?create=true"]
    for tag in ("orders", "shop/orders", "shop/bills", "shopping/orders"):
        snowmint.run(*create, tag, "--step", "10").must_succeed()
    plain, shop = "segment+sqlite:ids.db?tag=orders", "segment+sqlite:ids.db?namespace=shop&tag=orders"
    assert [snowmint.mint(source, "-n", 2) for source in (plain, shop, plain, shop)] == [
        [1, 2],
        [1, 2],
        [3, 4],
        [3, 4],
    ]
    listed = snowmint.run("segment", "list", "ids.db", "--namespace", "shop").must_succeed().output
    assert [line.split()[0] for line in listed.splitlines()[1:]] == ["shop/bills", "shop/orders"]
    everything = snowmint.run("segment", "list", "ids.db").must_succeed().output
    assert len(everything.splitlines()) == 5
    wrong = snowmint.run("segment", "list", "ids.db", "--namespace", "sh/op")
    wrong.must_refuse(INPUT, saying="error[invalid_tag]")


def test_no_tag_is_made_that_a_path_takes_for_a_place(snowmint):
    create = ["segment", "create", "sqlite:ids.db?create=true"]
    snowmint.run(*create, "orders").must_succeed()
    for tag in (".", "..", "../orders", "shop/.", "./.."):
        refused = snowmint.run(*create, tag).must_refuse(INPUT, saying="error[invalid_tag]")
        assert ". and .." in refused.errors, refused
    snowmint.run(*create, "...").must_succeed()
    # One that is there is read, minted from, and goes on elsewhere.
    with closing(sqlite3.connect(snowmint.directory / "ids.db")) as file, file:
        columns = [row[1] for row in file.execute("PRAGMA table_info(snowmint_segment)")]
        others = ", ".join(column for column in columns if column != "tag")
        file.execute(
            f"INSERT INTO snowmint_segment (tag, {others}) "
            f"SELECT '../orders', {others} FROM snowmint_segment WHERE tag = 'orders'"
        )
    assert "../orders" in snowmint.run("segment", "list", "ids.db").must_succeed().output
    assert snowmint.mint("segment+sqlite:ids.db?namespace=..&tag=orders") == [1]
    snowmint.run("migrate", "sqlite:new.db").must_succeed()
    snowmint.run("segment", "move", "ids.db", "../orders", "--to", "new.db").must_succeed()
    assert snowmint.mint("segment+sqlite:new.db?namespace=..&tag=orders")[0] > 1
