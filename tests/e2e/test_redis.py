"""Redis by its URL: several processes share what one file could not give them."""

import re
import subprocess
import threading

import pytest
from driver import INPUT, NO_ID, REPOSITORY, STORE, assert_disjoint, rounds


def test_tags_and_numbers(snowmint, redis):
    create = ["segment", "create", f"{redis}&create=true", "orders", "--step", "10"]
    snowmint.run(*create).must_succeed()
    snowmint.run(*create).must_refuse(saying="error[tag_exists]")
    source = f"segment+{redis}&tag=orders"
    assert snowmint.mint(source, "-n", 3) == [1, 2, 3]
    assert snowmint.mint(source, "-n", 2) == [4, 5]
    snowmint.run("segment", "set", redis, "orders", "--next", 100).must_succeed()
    assert snowmint.mint(source) == [100]
    assert "orders" in snowmint.run("segment", "list", redis).must_succeed().output


def test_a_key_space_is_begun_and_examined(snowmint, redis):
    planned = snowmint.run("migrate", redis, "--dry-run").must_succeed().output
    assert "SET snowmint:schema 1 NX" in planned
    missing = snowmint.run("doctor", redis)
    assert missing.status == STORE and "[store_missing]" in missing.output, missing
    snowmint.run("migrate", redis).must_succeed()
    found = snowmint.run("doctor", redis).must_succeed().output
    assert re.search(r"^ok +durability ", found, re.MULTILINE), found


def test_worker_ids_of_processes_differ(snowmint, redis):
    source = f"snowflake+{redis}&create=true&layout=twitter"
    first = snowmint.stream(source)
    with first, snowmint.stream(source) as second:
        for stream in (first, second):
            stream.read(5_000)
        rows = snowmint.run("worker", "list", redis, "--json").must_succeed().output
        assert len(re.findall(r'"held": ?true', rows)) == 2, rows
        second.kill()
        first.kill()
        assert_disjoint(first.ids, second.ids)


@pytest.mark.parametrize("kind", ["daily", "sequences"])
def test_other_sources(snowmint, redis, kind):
    key = ["--key", "7"] if kind == "sequences" else []
    snowmint.run("migrate", redis).must_succeed()
    source = f"{kind}+{redis}&tag=bills"
    first = snowmint.mint(source, "-n", 3, *key)
    assert_disjoint(first, snowmint.mint(source, "-n", 3, *key))


def test_a_tag_moves_to_a_file(snowmint, redis):
    snowmint.run("segment", "create", f"{redis}&create=true", "orders").must_succeed()
    snowmint.run("migrate", "ids.db").must_succeed()
    snowmint.run("segment", "move", redis, "orders", "--to", "ids.db").must_succeed()
    assert snowmint.mint("segment+sqlite:ids.db?tag=orders") == [2]
    moved = snowmint.run("id", f"segment+{redis}&tag=orders")
    moved.must_refuse(STORE, saying=["error[tag_moved]", "ids.db"])


class Server:
    """A server of a test's own."""

    def __enter__(self):
        command = [REPOSITORY / "scripts/servers", "run", "redis"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, **pipes)
        self.url = f"{self.process.stdout.readline().strip()}/0?durability=checked"
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def tell(self, what):
        self.process.stdin.write(f"{what}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "ready\n"


def test_a_server_that_is_killed_repeats_nothing(snowmint):
    """SNOWMINT_E2E_ROUNDS=20 is the long form."""
    issued, is_over = {"segment": [], "snowflake": []}, threading.Event()
    layout = "layout=time:41,worker:2,sequence:12&slab_ms=500"

    def mint(kind, source):
        while not is_over.is_set():
            done = snowmint.run("id", "-n", 500, f"{source}&wait_ms=3000")
            issued[kind].append(done.ids)
            if done.status != 0:
                done.must_refuse(STORE, NO_ID)

    with Server() as server:
        create = ["segment", "create", f"{server.url}&create=true", "orders", "--step", 20]
        snowmint.run(*create).must_succeed()
        sources = {
            "segment": f"segment+{server.url}&tag=orders",
            "snowflake": f"snowflake+{server.url}&{layout}",
        }
        threads = [threading.Thread(target=mint, args=one) for one in [*sources.items()] * 2]
        for thread in threads:
            thread.start()
        for round_ in range(1, rounds(4) + 1):
            while any(sum(map(len, ids)) < 1_000 * round_ for ids in issued.values()):
                is_over.wait(0.01)
            server.tell("end")
            server.tell("start")
        is_over.set()
        for thread in threads:
            thread.join()
    for kind, ids in issued.items():
        assert_disjoint(*ids)
        print(f"{kind}: {sum(map(len, ids))} IDs over {rounds(4)} deaths of the server, none twice")


def test_what_is_wrong_is_said_without_the_password(snowmint, redis):
    missing = snowmint.run("id", f"segment+{redis}&tag=orders")
    missing.must_refuse(STORE, saying=["error[store_missing]", "create=true"])
    address = redis.replace("redis://", "redis://ann:S3CRET@")
    for wrong, status, saying in [
        (address, STORE, "error[store_denied]"),
        (re.sub(r":\d+/", ":1/", address), STORE, "error[store_unavailable]"),
        (f"{address}&passwort=x", INPUT, "did you mean password?"),
    ]:
        done = snowmint.run("id", f"segment+{wrong}&tag=orders").must_refuse(status, saying=saying)
        assert "S3CRET" not in done.errors, done
