"""A backup is put back: the copy gives nothing until `snowmint recover` has raised and confirmed it."""

import json
import re
import subprocess

import pytest

import driver
from driver import INPUT, STORE
from services import eventually, metric
from shells import filled, typed

STEP = 100


def dump(url):
    return subprocess.run(["pg_dump", "-d", url], check=True, capture_output=True).stdout


def put_back(dumped, url):
    command = ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", url]
    subprocess.run(command, input=dumped, check=True, stdout=subprocess.DEVNULL)


class Evening:
    """Services with one tag in PostgreSQL, and every number that anybody was given."""

    def __init__(self, snowmint, url):
        self.snowmint, self.url, self.services, self.given = snowmint, url, [], []
        create = ("segment", "create", f"{url}&create=true", "orders", "--step", STEP)
        snowmint.run(*create).must_succeed()
        self.point_at(url)

    def point_at(self, url):
        text = f"[sources]\norders = 'segment+{url}&tag=orders&wait_ms=2000'\n"
        (self.snowmint.directory / "serve.toml").write_text(text)

    def start(self, start_service, count):
        self.services = [start_service("--config", "serve.toml") for _ in range(count)]

    def take(self, count):
        for service in self.services:
            self.given += service.mint("orders", count=count).ids

    def use_up(self):
        """Takes from each service until it has nothing left."""
        for service in self.services:
            while (answer := service.mint("orders", count=1)).status == 200:
                self.given += answer.ids

    def reload(self):
        for service in self.services:
            answer = service.ask_as_operator("POST", "/admin/reload")
            assert answer.status == 200, answer

    def recover(self, copy, *options):
        return self.snowmint.run("recover", copy, *options)

    def must_have_no_number_twice(self):
        assert len(set(self.given)) == len(self.given)


@pytest.fixture
def evening(snowmint, postgres):
    return Evening(snowmint, postgres)


def gives_nothing(snowmint, url):
    """Returns the server that the refusals name."""
    refused = snowmint.run("id", f"segment+{url}&tag=orders")
    refused.must_refuse(STORE, saying="error[incarnation_changed]")
    leased = snowmint.run("id", f"snowflake+{url}&wait_ms=0&layout=twitter")
    leased.must_refuse(STORE, saying=["error[incarnation_changed]", "snowmint recover"])
    snowmint.run("segment", "create", url, "new").must_refuse(STORE)
    return re.search(r"snowmint recover --server (\S+) URL", refused.errors)[1]


def test_l1_a_copy_beside_the_original_gives_no_number_twice(
    evening, snowmint, second_database, start_service
):
    """The servers are pointed at the copy by a reload, once what they had is used up."""
    evening.start(start_service, 2)
    evening.take(250)
    put_back(dump(evening.url), second_database)
    evening.take(1000)
    snowmint.run("segment", "create", evening.url, "made-since").must_succeed()
    server = gives_nothing(snowmint, second_database)

    # Pasted as it is printed, the cure changes nothing, and says what to look up.
    looked = evening.recover(second_database, "--server", server)
    assert looked.status == INPUT and "Nothing was done." in looked.errors, looked
    for words in ("--from", "--next", "--raise-by-steps", "snowmint_tag_next"):
        assert words in looked.errors, looked
    assert re.search(r"^orders\s+\d+\s+-\s+\?$", looked.output, re.MULTILINE), looked
    unknown = evening.recover(second_database, "--server", server, "--yes")
    unknown.must_refuse(INPUT, saying="how far orders went")
    original = ("--from", evening.url, "--server", server, "--yes")
    another = ("--from", evening.url, "--server", f"{server}0", "--yes")
    evening.recover(second_database, *another).must_refuse(STORE, saying=server)
    # The original may go on after its numbers were read.
    evening.recover(second_database, *original).must_refuse(INPUT, saying="--raise-by-steps")
    low = ("--next", "orders=1", "--raise-by-steps", 0, "--new-from", 1, "--server", server, "--yes")
    evening.recover(second_database, *low).must_refuse(INPUT, saying="too old")
    evening.recover(second_database, "--from", evening.url)
    assert gives_nothing(snowmint, second_database) == server
    evening.take(10)

    # Each server may have reserved one range after that.
    recover = (*original, "--raise-by-steps", 2)
    evening.recover(second_database, *recover).must_succeed()
    # A repeat, as after an interruption, finds nothing to do.
    again = evening.recover(second_database, *recover).must_succeed()
    assert "nothing waits for an operator" in again.errors, again
    evening.given += snowmint.mint(f"segment+{second_database}&tag=orders", "-n", STEP)
    (made,) = snowmint.mint(f"segment+{second_database}&tag=made-since")
    assert made > 1
    evening.point_at(second_database)
    evening.reload()
    evening.take(1000)
    evening.must_have_no_number_twice()


def test_l1_a_metric_tells_how_far_numbers_went_that_a_dump_lacks(
    evening, snowmint, start_service
):
    """The original is lost, and its dump is restored into another cluster."""
    evening.start(start_service, 2)
    evening.take(250)
    dumped = dump(evening.url)
    evening.take(1000)
    name = 'snowmint_tag_next{source="orders",tag="orders"}'
    ends = [int(metric(service, name)) for service in evening.services]
    assert max(ends) > max(evening.given), ends
    for service, end in zip(evening.services, ends, strict=True):
        service.stop()
        logged = re.search(r"orders ends: the tag's next number was (\d+)", service.said)
        # It may have reserved one range more, which nobody was given.
        assert int(logged[1]) >= end, service.said
    with driver.Server("postgres") as other:
        put_back(dumped, other.url)
        server = gives_nothing(snowmint, other.url)
        known = ("--next", f"orders={max(ends)}", "--raise-by-steps", 1, "--server", server, "--yes")
        # Tags that were made since would begin at 1 again.
        evening.recover(other.url, *known).must_refuse(INPUT, saying="--new-from")
        done = evening.recover(other.url, *known, "--new-from", 1, "--json").must_succeed()
        assert int(json.loads(done.output)["next"]) >= max(ends) + STEP, done
        evening.given += snowmint.mint(f"segment+{other.url}&tag=orders", "-n", 3 * STEP)
    evening.must_have_no_number_twice()


def test_open_servers_go_on_by_themselves_after_a_recovery(evening, snowmint, start_service):
    """A dump is put back in the same place, while servers with that URL run."""
    evening.start(start_service, 2)
    evening.take(250)
    dumped = dump(evening.url)
    evening.take(1000)
    client = ["psql", "-X", "-q", "-d", evening.url, "-c", "DROP SCHEMA snowmint CASCADE"]
    subprocess.run(client, check=True, stderr=subprocess.DEVNULL)
    put_back(dumped, evening.url)
    evening.use_up()
    server = gives_nothing(snowmint, evening.url)
    name = 'snowmint_tag_next{source="orders",tag="orders"}'
    end = max(int(metric(service, name)) for service in evening.services)
    known = ("--next", f"orders={end}", "--new-from", 1, "--server", server, "--yes")
    evening.recover(evening.url, *known).must_refuse(INPUT, saying="--raise-by-steps")
    evening.recover(evening.url, *known, "--raise-by-steps", 0).must_succeed()
    for service in evening.services:
        eventually(lambda service=service: service.mint("orders", count=1).status == 200)
    evening.take(500)
    evening.must_have_no_number_twice()


def test_l1_a_file_is_raised_above_its_original(snowmint):
    """SQLite cannot tell that it is a copy, so the command says what refuses nothing."""
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    given = snowmint.mint("segment+sqlite:ids.db?tag=orders", "-n", 10)
    original = snowmint.directory / "ids.db"
    (snowmint.directory / "copy.db").write_bytes(original.read_bytes())
    given += snowmint.mint("segment+sqlite:ids.db?tag=orders", "-n", 5000)
    looked = snowmint.run("recover", "copy.db", "--from", "ids.db")
    assert looked.status == INPUT and "refuses nothing by itself" in looked.errors, looked
    known = ("--from", "ids.db", "--raise-by-steps", 0, "--all", "--yes")
    later = snowmint.run("recover", "copy.db", *known, "--new-from", 2)
    later.must_refuse(INPUT, saying="--next TAG=NUMBER")
    snowmint.run("recover", "copy.db", *known, "--new-from", 1).must_succeed()
    assert min(snowmint.mint("segment+sqlite:copy.db?tag=orders", "-n", 10)) > max(given)


def test_the_lines_of_the_pages_on_failovers_and_restores(evening, snowmint, second_database):
    snowmint.mint(f"segment+{evening.url}&tag=orders", "-n", 250)
    put_back(dump(evening.url), second_database)
    gives_nothing(snowmint, second_database)
    places = {"ids@new/ids": second_database, "ids@old/ids": evening.url}
    said = ""
    for command, status, expected in typed(driver.REPOSITORY / "examples/recover/copy.sh"):
        for place, url in places.items():
            command = command.replace(f"postgres://{place}", f"'{url}'")
        done = snowmint.shell(filled(command, said))
        assert done.status == status, done
        said = done.errors
        assert expected in done.output + done.errors, done
    assert snowmint.mint(f"segment+{second_database}&tag=orders") > [250]
