"""A PostgreSQL database by its URL: several processes share what one file could not give them."""

import json
import re

from driver import INPUT, STORE, assert_disjoint


def test_tags_and_numbers(snowmint, postgres):
    create = ["segment", "create", f"{postgres}&create=true", "orders", "--step", "10"]
    snowmint.run(*create).must_succeed()
    snowmint.run(*create).must_refuse(saying="error[tag_exists]")
    source = f"segment+{postgres}&tag=orders"
    assert snowmint.mint(source, "-n", 3) == [1, 2, 3]
    assert snowmint.mint(source, "-n", 2) == [4, 5]
    snowmint.run("segment", "raise", postgres, "orders", "--next", 100).must_succeed()
    assert snowmint.mint(source) == [100]
    assert "orders" in snowmint.run("segment", "list", postgres).must_succeed().output


def test_tables_are_made_and_examined(snowmint, postgres):
    planned = snowmint.run("migrate", postgres, "--dry-run").must_succeed().output
    assert "CREATE TABLE IF NOT EXISTS snowmint_worker" in planned and planned.endswith("COMMIT;\n")
    missing = snowmint.run("doctor", postgres)
    assert missing.status == STORE, missing
    pattern = r"^refused  tables .*\[store_missing\]$"
    assert re.search(pattern, missing.output, re.MULTILINE), missing
    assert "are made; pin it by key_space=" in snowmint.run("migrate", postgres).must_succeed().output
    again = snowmint.run("migrate", postgres).must_succeed().output
    assert "are there, as they should be; pin it by key_space=" in again, again
    found = snowmint.run("doctor", postgres, "--json").must_succeed().output
    verdicts = {it["subject"]: it["verdict"] for it in map(json.loads, found.splitlines())}
    for subject in ("server", "role", "clock", "tables", "rights", "failovers", "worker IDs"):
        assert verdicts[subject] == "ok", found


def test_worker_ids_of_processes_differ(snowmint, postgres):
    source = f"snowflake+{postgres}&create=true&layout=twitter"
    first = snowmint.stream(source)
    with first, snowmint.stream(source) as second:
        for stream in (first, second):
            stream.read(5_000)
        rows = snowmint.run("worker", "list", postgres, "--json").must_succeed().output
        assert len(re.findall(r'"held": ?true', rows)) == 2, rows
        second.kill()
        first.kill()
        assert_disjoint(first.ids, second.ids)


def test_an_error_is_told_without_the_password(snowmint, postgres):
    missing = snowmint.run("id", f"segment+{postgres}&tag=orders")
    missing.must_refuse(STORE, saying=["error[store_missing]", "create=true"])
    address = postgres.replace("postgres@", "ann:S3CRET@")
    for wrong, status, saying in [
        (address, STORE, "error[store_denied]"),
        (re.sub(r":\d+/", ":1/", address), STORE, "error[store_unavailable]"),
        (f"{address}&sslmod=prefer", INPUT, "did you mean sslmode?"),
    ]:
        done = snowmint.run("id", f"segment+{wrong}&tag=orders").must_refuse(status, saying=saying)
        assert "S3CRET" not in done.errors and "db error" not in done.errors, done
