"""Redis, etcd and ZooKeeper by their URLs: several processes share what one file could not give them."""

import re
import threading
import time

import pytest
from driver import INPUT, NO_ID, STORE, Server, assert_disjoint, rounds
from services import eventually

KINDS = ["redis", "etcd", "zookeeper"]


@pytest.fixture(params=KINDS)
def store(request):
    return request.getfixturevalue(request.param)


def test_tags_and_numbers(snowmint, store):
    create = ["segment", "create", f"{store}&create=true", "orders", "--step", "10"]
    snowmint.run(*create).must_succeed()
    snowmint.run(*create).must_refuse(saying="error[tag_exists]")
    source = f"segment+{store}&tag=orders"
    assert snowmint.mint(source, "-n", 3) == [1, 2, 3]
    assert snowmint.mint(source, "-n", 2) == [4, 5]
    snowmint.run("segment", "raise", store, "orders", "--next", 100).must_succeed()
    assert snowmint.mint(source) == [100]
    assert "orders" in snowmint.run("segment", "list", store).must_succeed().output


def test_a_key_space_is_begun_and_examined(snowmint, store):
    planned = snowmint.run("migrate", store, "--dry-run").must_succeed().output
    row = r"""^(HSETNX|put|create) \S*schema .*'\{"version":1,"id":"[0-9a-f]{32}","""
    assert re.search(row, planned, re.MULTILINE), planned
    missing = snowmint.run("doctor", store)
    assert missing.status == STORE and "[store_missing]" in missing.output, missing
    assert planned.rstrip()[-1] != ";" and "table" not in planned, planned
    assert snowmint.run("migrate", store).must_succeed().output.count("its key space is begun; pin it by key_space=") == 1
    assert "its key space is there" in snowmint.run("migrate", store).must_succeed().output
    found = snowmint.run("doctor", store).must_succeed().output
    assert re.search(r"^ok +key space ", found, re.MULTILINE), found


def test_worker_ids_of_processes_differ(snowmint, store):
    source = f"snowflake+{store}&create=true&layout=twitter"
    first = snowmint.stream(source)
    with first, snowmint.stream(source) as second:
        for stream in (first, second):
            stream.read(5_000)
        rows = snowmint.run("worker", "list", store, "--json").must_succeed().output
        assert len(re.findall(r'"held": ?true', rows)) == 2, rows
        second.kill()
        first.kill()
        assert_disjoint(first.ids, second.ids)


def test_a_clock_an_hour_ahead_reserves_by_the_servers(snowmint, clock, store):
    source = f"snowflake+{store}&create=true&layout=twitter&wait_ms=100"
    snowmint.run("id", source, clock=clock.set(3_600))
    rows = snowmint.run("worker", "list", store, "--json").must_succeed().output
    reserved = [int(ms) for ms in re.findall(r'"reserved_ms": ?(\d+)', rows)]
    assert reserved and max(reserved) < (time.time() + 600) * 1_000, rows


def test_a_clock_that_goes_back_by_lingdus_policy(snowmint, clock, store):
    """The worker ID may be kept or exchanged: no ID comes twice, nor from whoever takes it next."""
    layout = "layout=time:41,worker:2,sequence:12&reserve_ms=500"
    source = f"snowflake+{store}&create=true&policy=lingdu&wait_ms=60000&{layout}"
    issued = []
    for offsets_s in [(0, -0.1, -1), (-1, 3_600, -3_600), (0, -0.02, -60)]:
        with snowmint.stream(source, clock=clock) as stream:
            for offset_s in offsets_s:
                clock.set(offset_s)
                stream.read(20_000)
            stream.kill()
        issued.append(stream.ids)
    assert_disjoint(*issued)


@pytest.mark.parametrize("kind", ["daily", "sequences"])
def test_other_sources(snowmint, store, kind):
    key = ["--key", "7"] if kind == "sequences" else []
    snowmint.run("migrate", store).must_succeed()
    source = f"{kind}+{store}&tag=bills"
    first = snowmint.mint(source, "-n", 3, *key)
    assert_disjoint(first, snowmint.mint(source, "-n", 3, *key))


def test_a_tag_moves_to_a_file(snowmint, store):
    snowmint.run("segment", "create", f"{store}&create=true", "orders").must_succeed()
    new = "sqlite:ids.db?create=true"
    snowmint.run("segment", "move", store, "orders", "--to", new).must_succeed()
    assert snowmint.mint("segment+sqlite:ids.db?tag=orders") == [2]
    moved = snowmint.run("id", f"segment+{store}&tag=orders")
    # A lost file is not to be begun anew.
    moved.must_refuse(STORE, saying=["error[tag_moved]", "ids.db: open it there"])


@pytest.mark.parametrize("kind_of_server", KINDS)
def test_a_server_that_is_killed_repeats_nothing(snowmint, kind_of_server):
    """SNOWMINT_E2E_ROUNDS=20 is the long form."""
    issued, is_over = {"segment": [], "snowflake": []}, threading.Event()
    layout = "layout=time:41,worker:2,sequence:12&reserve_ms=500"

    def mint(kind, source):
        while not is_over.is_set():
            done = snowmint.run("id", "-n", 500, f"{source}&wait_ms=3000")
            issued[kind].append(done.ids)
            if done.status != 0:
                done.must_refuse(STORE, NO_ID)

    with Server(kind_of_server) as server:
        url = f"{server.url}/0?create=true"
        create = ["segment", "create", url, "orders", "--step", 20, "--if-not-exists"]
        eventually(lambda: snowmint.run(*create).status == 0)
        sources = {
            "segment": f"segment+{url}&tag=orders",
            "snowflake": f"snowflake+{url}&{layout}",
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


def test_an_error_is_told_without_the_password(snowmint, store):
    missing = snowmint.run("id", f"segment+{store}&tag=orders")
    missing.must_refuse(STORE, saying=["error[store_missing]", "create=true"])
    address = store.replace("://", "://ann:S3CRET@")
    if store.startswith("zookeeper:"):  # which knows whose nodes are, and takes everybody in
        snowmint.run("migrate", store.replace("://", "://bob:W0RD@")).must_succeed()
    for wrong, status, saying in [
        (address, STORE, "error[store_denied]"),
        (re.sub(r":\d+/", ":1/", address), STORE, "error[store_unavailable]"),
        (f"{address}&passwort=x", INPUT, "did you mean password?"),
    ]:
        done = snowmint.run("id", f"segment+{wrong}&tag=orders").must_refuse(status, saying=saying)
        assert "S3CRET" not in done.errors, done
