"""The state that `snowmint serve` reports of its stores, also while no client asks for an ID."""

import sqlite3
import threading
from contextlib import closing
from urllib.parse import urlsplit, urlunsplit

import pytest
from relays import Relay
from services import RespClient, Service, eventually

STORE_URL = "sqlite:ids.db"
IDLE = ("orders=segment+", "bills=segment+", "days=daily+", "chat=sequences+")


def named(url):
    """Sources of each kind that gets its numbers from a store, as arguments."""
    joint = "&" if "?" in url else "?"
    each = [f"{one}{url}{joint}tag={one.split('=')[0]}" for one in IDLE]
    return [part for source in each for part in ("--source", source)]


def names():
    return [one.split("=")[0] for one in IDLE]


def readiness(service):
    return service.ask("GET", "/readyz")


def ups(service):
    """Returns what Prometheus is told of each source's store."""
    lines = service.ask_as_operator("GET", "/metrics").body.decode().splitlines()
    return [line.split()[-1] for line in lines if line.startswith("snowmint_source_store_up{")]


def stores(service):
    return [one["up"] for one in service.ask_as_operator("GET", "/admin/state").json["stores"]]


class Frozen(Relay):
    """Passes everything on until it is frozen: then connections stay, and nobody answers."""

    def __init__(self, host, port):
        self.goes_on = threading.Event()
        self.goes_on.set()
        super().__init__(host, port)

    def _pass(self, client, server):
        back = threading.Thread(target=self._copy, args=[server, client], daemon=True)
        back.start()
        self._copy(client, server)
        back.join()

    def _copy(self, one, other):
        try:
            while chunk := one.recv(1 << 16):
                self.goes_on.wait()
                other.sendall(chunk)
        except OSError:
            pass
        finally:
            for side in (one, other):
                side.close()


@pytest.fixture
def frozen(postgres):
    """A database's URL by way of what can be frozen, and that."""
    url = urlsplit(postgres)
    with Frozen(url.hostname, url.port) as relay:
        host = url.netloc.rpartition("@")[0]
        netloc = f"{host}@127.0.0.1:{relay.port}" if host else f"127.0.0.1:{relay.port}"
        yield urlunsplit(url._replace(netloc=netloc)), relay
        relay.goes_on.set()


def runway_s(service):
    """Returns the runway of the only source, as Prometheus is told."""
    lines = service.ask_as_operator("GET", "/metrics").body.decode().splitlines()
    own = [line for line in lines if line.startswith("snowmint_source_runway_seconds{")]
    return float(own[0].split()[-1])


def all_become_unready(service):
    eventually(lambda: not any(one["ready"] for one in readiness(service).json["sources"].values()))
    answer = readiness(service)
    assert answer.status == 503 and list(answer.json["sources"]) == sorted(names()), answer
    assert all(one["why"] for one in answer.json["sources"].values()), answer
    eventually(lambda: set(ups(service)) == {"0"} and stores(service) == [False])
    eventually(lambda: " WARN " in service.said)


def all_become_ready(service):
    eventually(lambda: readiness(service).status == 200)
    eventually(lambda: set(ups(service)) == {"1"} and stores(service) == [True])


def test_a_file_that_goes_is_noticed_while_nobody_asks(snowmint):
    for tag in ("orders", "bills"):
        snowmint.run("segment", "create", f"{STORE_URL}?create=true", tag).must_succeed()
    with Service(snowmint, *named(STORE_URL)) as service:
        all_become_ready(service)
        (snowmint.directory / "ids.db").rename(snowmint.directory / "away.db")
        all_become_unready(service)
        (snowmint.directory / "away.db").rename(snowmint.directory / "ids.db")
        all_become_ready(service)
        assert service.mint("orders").status == 200


def test_a_file_that_took_anothers_place_is_noticed_by_all_until_it_is_put_right(snowmint):
    """By what has numbers at hand as well, and though nobody asks for any."""
    for tag in ("orders", "bills"):
        snowmint.run("segment", "create", f"{STORE_URL}?create=true", tag).must_succeed()
    snowmint.run("segment", "create", "sqlite:other.db?create=true", "orders").must_succeed()
    # Nothing at hand lasts for so long once it is used.
    options = ["--ready-runway-ms", 3_600_000]
    files = [snowmint.directory / name for name in ("ids.db", "kept.db", "other.db")]

    def failures():
        text = service.ask_as_operator("GET", "/metrics").body.decode()
        return text.count('code="incarnation_changed"')

    with Service(snowmint, *named(STORE_URL), *options) as service:
        all_become_ready(service)
        assert service.mint("days", count=10).status == 200
        assert service.ask("POST", "/v1/sequences/chat/7").status == 200
        files[0].rename(files[1])
        files[2].rename(files[0])
        eventually(lambda: failures() == len(IDLE))
        assert readiness(service).status == 503
        files[0].rename(files[2])
        files[1].rename(files[0])
        all_become_ready(service)
        assert failures() == 0
        assert service.mint("orders").status == 200


def test_a_source_that_asked_a_wrong_file_asks_the_right_one_again(snowmint):
    """Though it has numbers at hand, and nobody takes more."""
    snowmint.run("segment", "create", f"{STORE_URL}?create=true", "orders").must_succeed()
    snowmint.run("segment", "create", "sqlite:other.db?create=true", "orders").must_succeed()
    options = ["--ready-runway-ms", 3_600_000]
    files = [snowmint.directory / name for name in ("ids.db", "kept.db", "other.db")]

    def failing(service):
        text = service.ask_as_operator("GET", "/metrics").body.decode()
        return 'code="incarnation_changed"' in text

    def at_hand(service):
        text = service.ask_as_operator("GET", "/metrics").body.decode()
        return float(text.split('snowmint_source_at_hand{source="orders"} ')[1].split()[0])

    with Service(snowmint, "--source", f"orders=segment+{STORE_URL}?tag=orders", *options) as service:
        assert service.mint("orders", count=3).status == 200
        files[0].rename(files[1])
        files[2].rename(files[0])
        assert service.mint("orders", count=150).status == 200
        eventually(lambda: failing(service))
        files[0].rename(files[2])
        files[1].rename(files[0])
        eventually(lambda: at_hand(service) > 1_000)
        eventually(lambda: readiness(service).status == 200 and ups(service) == ["1"])
        assert service.mint("orders", count=847).ids[-1] == 1_000


def test_a_tag_at_its_end_is_no_store_that_fails(snowmint):
    url = f"{STORE_URL}?create=true"
    snowmint.run("segment", "create", url, "few", "--max", 5, "--step", 5).must_succeed()
    with Service(snowmint, "--source", f"few=segment+{STORE_URL}?tag=few") as service:
        assert service.mint("few", count=5).status == 200
        service.mint("few").must_refuse(410, "tag_exhausted")
        assert ups(service) == ["1"] and stores(service) == [True]


def ending(snowmint, url, *tags):
    """A service of tags, of which the first has five numbers in all, and gave them."""
    snowmint.run("segment", "create", url + "create=true", "few", "--max", 5, "--step", 5)
    for tag in tags:
        snowmint.run("segment", "create", url + "create=true", tag).must_succeed()
    sources = [f"{tag}=segment+{url}tag={tag}" for tag in ("few", *tags)]
    service = Service(snowmint, *[part for source in sources for part in ("--source", source)])
    assert service.mint("few", count=5).status == 200
    service.mint("few").must_refuse(410, "tag_exhausted")
    return service


def test_a_tag_at_its_end_knows_when_its_store_is_away(snowmint):
    """Though the store is asked for the sake of another."""
    with ending(snowmint, f"{STORE_URL}?", "orders") as service:
        assert service.mint("orders").status == 200
        (snowmint.directory / "ids.db").rename(snowmint.directory / "away.db")
        eventually(lambda: ups(service) == ["0", "0"] and stores(service) == [False])
        (snowmint.directory / "away.db").rename(snowmint.directory / "ids.db")
        eventually(lambda: ups(service) == ["1", "1"] and stores(service) == [True])


def test_a_block_that_cannot_be_had_leaves_others_what_is_at_hand(snowmint):
    snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    with Service(snowmint, "--source", f"orders=segment+{STORE_URL}?tag=orders&step=100&wait_ms=500") as service:
        assert service.mint("orders").ids == [1]
        (snowmint.directory / "ids.db").rename(snowmint.directory / "away.db")
        eventually(lambda: ups(service) == ["0"])
        for _ in range(3):
            refused = service.mint("orders", count=1_000, form="block")
            assert refused.status == 503 and refused.json["code"] != "wait_timeout", refused
        assert service.mint("orders").ids == [2]
        (snowmint.directory / "away.db").rename(snowmint.directory / "ids.db")
        eventually(lambda: service.mint("orders", count=1_000, form="block").status == 200)


def fenced(service):
    """Returns the number of sources that wait for an operator."""
    lines = service.ask_as_operator("GET", "/metrics").body.decode().splitlines()
    told = [line.split()[-1] for line in lines if line.startswith("snowmint_source_fenced{")]
    codes = [line for line in lines if line.startswith("snowmint_source_failure{")]
    assert all('code="tag_exhausted"' in line for line in codes), codes
    return told.count("1")


def test_a_tag_at_its_end_is_ready_while_it_is_asked_for_without_its_store(snowmint):
    with ending(snowmint, f"{STORE_URL}?") as service:
        (snowmint.directory / "ids.db").rename(snowmint.directory / "away.db")
        eventually(lambda: service.mint("few").status == 503)
        eventually(lambda: ups(service) == ["0"] and stores(service) == [False])
        assert readiness(service).status == 200 and fenced(service) == 1
        (snowmint.directory / "away.db").rename(snowmint.directory / "ids.db")
        eventually(lambda: ups(service) == ["1"] and stores(service) == [True])
        assert readiness(service).status == 200 and fenced(service) == 1
        service.mint("few").must_refuse(410, "tag_exhausted")


def test_a_store_that_hangs_is_noticed_where_all_tags_are_at_their_end(snowmint, frozen):
    url, relay = frozen
    with ending(snowmint, f"{url}&") as service:
        relay.goes_on.clear()
        eventually(lambda: ups(service) == ["0"] and stores(service) == [False])
        assert readiness(service).status == 200 and fenced(service) == 1
        relay.goes_on.set()
        eventually(lambda: ups(service) == ["1"] and stores(service) == [True])
        service.mint("few").must_refuse(410, "tag_exhausted")


def test_a_store_that_hangs_is_noticed_while_nobody_asks(snowmint, frozen):
    url, relay = frozen
    for tag in ("orders", "bills"):
        snowmint.run("segment", "create", f"{url}&create=true", tag).must_succeed()
    with Service(snowmint, *named(url)) as service:
        all_become_ready(service)
        relay.goes_on.clear()
        all_become_unready(service)
        relay.goes_on.set()
        all_become_ready(service)
        assert service.mint("orders").status == 200


def test_a_source_with_numbers_at_hand_is_ready_without_the_store(snowmint):
    """Other sources of the same store, which have no numbers at hand, are not ready."""
    for tag in ("orders", "bills"):
        snowmint.run("segment", "create", f"{STORE_URL}?create=true", tag).must_succeed()
    with Service(snowmint, *named(STORE_URL)) as service:
        assert service.mint("orders").status == 200
        (snowmint.directory / "ids.db").rename(snowmint.directory / "away.db")
        service.mint("bills").must_refuse(503, "store_unavailable")
        sources = readiness(service).json["sources"]
        assert {name for name, one in sources.items() if one["ready"]} == {"orders"}, sources
        assert service.mint("orders").status == 200


def test_a_store_that_hangs_is_told_of_where_numbers_are_at_hand(snowmint, frozen):
    url, relay = frozen
    snowmint.run("segment", "create", f"{url}&create=true", "solo").must_succeed()
    solo = f"segment+{url}&tag=solo&step=1000"
    with Service(snowmint, "--source", f"solo={solo}") as service:
        assert service.mint("solo").status == 200
        assert runway_s(service) < float("inf")
        relay.goes_on.clear()
        eventually(lambda: ups(service) == ["0"] and stores(service) == [False])
        eventually(lambda: " WARN " in service.said)
        # It was asked for one number, and has hundreds.
        answer = readiness(service)
        assert answer.status == 200 and answer.json["sources"]["solo"]["runway_ms"], answer
        assert runway_s(service) < float("inf")
        relay.goes_on.set()
        all_become_ready(service)


def test_a_source_that_is_used_faster_than_before_is_unready_before_it_is_used_up(
    snowmint, frozen
):
    url, relay = frozen
    snowmint.run("segment", "create", f"{url}&create=true", "calm").must_succeed()
    calm = f"segment+{url}&tag=calm&step=1000000"
    options = ["--source", f"calm={calm}", "--ready-runway-ms", 3_600_000]
    with Service(snowmint, *options) as service:
        assert service.mint("calm").status == 200
        relay.goes_on.clear()
        eventually(lambda: ups(service) == ["0"])
        eventually(lambda: readiness(service).status == 200)
        assert service.mint("calm", count=10_000).status == 200
        eventually(lambda: readiness(service).status == 503)
        answer = service.mint("calm")
        assert answer.status == 200, "numbers are at hand"


def test_the_first_who_waits_is_told_what_is_wrong_with_the_store(snowmint):
    """As long as is usual, by both protocols."""
    snowmint.run("segment", "create", f"{STORE_URL}?create=true", "orders").must_succeed()
    source = f"orders=segment+{STORE_URL}?tag=orders"
    with (
        Service(snowmint, "--source", source) as service,
        RespClient(service) as client,
        closing(sqlite3.connect(snowmint.directory / "ids.db", isolation_level=None)) as lock,
    ):
        lock.execute("BEGIN EXCLUSIVE")
        client.socket.sendall(b"INCR orders\r\n" * 20)
        service.mint("orders").must_refuse(503, "store_locked")
        replies = [str(client.reply()) for _ in range(20)]
        assert all(one.startswith("ERR store_locked: ") for one in replies), replies
        lock.execute("ROLLBACK")
        eventually(lambda: service.mint("orders").status == 200)


def test_the_first_who_waits_for_a_store_that_hangs_is_told_so(snowmint, frozen):
    url, relay = frozen
    snowmint.run("segment", "create", f"{url}&create=true", "orders").must_succeed()
    with Service(snowmint, "--source", f"orders=segment+{url}&tag=orders&step=10") as service:
        assert service.mint("orders").status == 200
        relay.goes_on.clear()
        while (answer := service.mint("orders", count=10)).status == 200:
            pass
        answer.must_refuse(503, "store_unavailable")
        relay.goes_on.set()
        eventually(lambda: service.mint("orders").status == 200)


def leases_up(service):
    lines = service.ask_as_operator("GET", "/metrics").body.decode().splitlines()
    return [line.split()[1] for line in lines if line.startswith("snowmint_leases_store_up ")]


def test_a_store_of_leases_alone_is_told_of_while_nobody_asks(snowmint):
    """An outage of the store is no reason to ask another server, which has the same store."""
    snowmint.run("segment", "create", "sqlite:leases.db?create=true", "orders").must_succeed()
    with Service(snowmint, "--source", "u=uuid:", "--leases-store", "sqlite:leases.db") as service:
        assert readiness(service).json["leases"] == {"up": True}
        assert leases_up(service) == ["1"] and stores(service) == [True]
        (snowmint.directory / "leases.db").rename(snowmint.directory / "away.db")
        eventually(lambda: leases_up(service) == ["0"])
        answer = readiness(service)
        assert answer.status == 200 and not answer.json["leases"]["up"], answer
        assert "leases.db" in answer.json["leases"]["why"], answer
        eventually(lambda: "leases.store fails" in service.said)
        (snowmint.directory / "away.db").rename(snowmint.directory / "leases.db")
        eventually(lambda: "leases.store answers again" in service.said)
        assert readiness(service).json["leases"] == {"up": True}
        assert service.said.count("leases.store fails") == 1, service.said


def test_a_store_of_leases_that_is_away_at_the_start_is_told_of(snowmint):
    away = "postgres://nobody@127.0.0.1:1/none"
    with Service(snowmint, "--source", "u=uuid:", "--leases-store", away) as service:
        assert "leases.store fails" in service.said
        answer = readiness(service)
        assert answer.status == 200 and not answer.json["leases"]["up"], answer


def test_a_young_lease_that_is_over_is_not_ready(snowmint, frozen):
    """Before its store's failure is known."""
    url, relay = frozen
    with Service(snowmint, "--source", f"ids=snowflake+{url}&create=true") as service:
        assert service.mint("ids").status == 200
        relay.goes_on.clear()
        answers = []

        def is_unready():
            answers.append(readiness(service).json)
            return not answers[-1]["ready"]

        eventually(is_unready)
        over = [one for one in answers if one["ready"] and not one["sources"]["ids"]["runway_ms"]]
        assert not over, over[:3]
        assert answers[-1]["sources"]["ids"]["why"]
        eventually(lambda: ups(service) == ["0"] and stores(service) == [False])
        relay.goes_on.set()
        all_become_ready(service)


@pytest.mark.thorough
def test_a_worker_id_of_ones_own_needs_no_store(snowmint):
    """Its time is reserved for a minute after the last one asked."""
    source = "fixed=snowflake:?worker_id=7&reserve_ms=2000"
    with Service(snowmint, "--source", source, "--ready-runway-ms", 3_600_000) as service:
        assert service.mint("fixed").status == 200
        [listed] = service.ask("GET", "/v1/sources").json["sources"]
        assert "runway_ms" not in listed["stats"], listed

        def told():
            state = service.ask_as_operator("GET", "/admin/state").json["sources"]
            return next(one["now"] for one in state if one["name"] == "fixed")

        # Nobody asks for more of its time, and none is lacking.
        eventually(lambda: "reserved_until_ms" not in told()["worker"])
        assert "runway_s" not in told() and told()["ready"]
        text = service.ask_as_operator("GET", "/metrics").body.decode()
        assert 'snowmint_source_runway_seconds{source="fixed"} +Inf\n' in text
        assert readiness(service).json["ready"]
        assert service.mint("fixed").status == 200
