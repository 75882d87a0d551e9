"""A MariaDB database by its URL: several processes share what one file could not give them."""

import re

from driver import INPUT, STORE, assert_disjoint


def test_tags_and_numbers(snowmint, mariadb):
    create = ["segment", "create", f"{mariadb}&create=true", "orders", "--step", "10"]
    snowmint.run(*create).must_succeed()
    snowmint.run(*create).must_refuse(saying="error[tag_exists]")
    source = f"segment+{mariadb}&tag=orders"
    assert snowmint.mint(source, "-n", 3) == [1, 2, 3]
    assert snowmint.mint(source, "-n", 2) == [4, 5]
    snowmint.run("segment", "raise", mariadb, "orders", "--next", 100).must_succeed()
    assert snowmint.mint(source) == [100]
    assert "orders" in snowmint.run("segment", "list", mariadb).must_succeed().output


def test_tables_are_made_and_examined(snowmint, mariadb):
    planned = snowmint.run("migrate", mariadb, "--dry-run").must_succeed().output
    assert "CREATE TABLE IF NOT EXISTS snowmint_worker" in planned
    missing = snowmint.run("doctor", mariadb)
    assert missing.status == STORE and "[store_missing]" in missing.output, missing
    made = snowmint.run("migrate", mariadb).must_succeed().output
    assert made.startswith("MariaDB ") and "are made; pin it by key_space=" in made
    found = snowmint.run("doctor", mariadb).must_succeed().output
    assert re.search(r"^ok       tables .*as they should be$", found, re.MULTILINE), found


def test_worker_ids_of_processes_differ(snowmint, mariadb):
    source = f"snowflake+{mariadb}&create=true&layout=twitter"
    first = snowmint.stream(source)
    with first, snowmint.stream(source) as second:
        for stream in (first, second):
            stream.read(5_000)
        rows = snowmint.run("worker", "list", mariadb, "--json").must_succeed().output
        assert len(re.findall(r'"held": ?true', rows)) == 2, rows
        second.kill()
        first.kill()
        assert_disjoint(first.ids, second.ids)


def test_an_error_is_told_without_the_password(snowmint, mariadb):
    missing = snowmint.run("id", f"segment+{mariadb}&tag=orders")
    missing.must_refuse(STORE, saying=["error[store_missing]", "create=true"])
    address = mariadb.replace("root@", "ann:S3CRET@")
    for wrong, status, saying in [
        (address, STORE, "error[store_denied]"),
        (re.sub(r":\d+/", ":1/", address), STORE, "error[store_unavailable]"),
        (f"{address}&ssl-mod=disabled", INPUT, "did you mean ssl-mode?"),
    ]:
        done = snowmint.run("id", f"segment+{wrong}&tag=orders").must_refuse(status, saying=saying)
        assert "S3CRET" not in done.errors, done
