"""`snowmint serve` over a database: two services that are killed, a server that goes away."""

import re

import pytest
from driver import Server, assert_disjoint, rounds, seeded
from loads import HttpLoad, RespLoad
from services import Service, eventually


def sources(url, more=""):
    ids = f"ids=snowflake+{url}&layout=twitter{more}"
    return ("--source", ids, "--source", f"orders=segment+{url}&tag=orders{more}")


def test_two_services_on_one_database(snowmint, postgres):
    """Killed one after the other while both protocols mint. SNOWMINT_E2E_ROUNDS=20 is the long
    form."""
    snowmint.run("segment", "create", f"{postgres}&create=true", "orders").must_succeed()
    chance = seeded("two services")
    running, loads = [], []

    def begin():
        service = Service(snowmint, *sources(postgres))
        running.append(service)
        loads.extend(load(service, clients=2) for load in (HttpLoad, RespLoad))

    try:
        begin()
        begin()
        for _ in range(rounds(4)):
            for load in loads[-4:]:
                load.until(1_000)
            service = running.pop(chance.randrange(2))
            service.kill() if chance.random() < 0.5 else service.stop()
            service.__exit__()
            begin()
    finally:
        for load in loads:
            load.is_over.set()
        for service in running:
            service.__exit__()
    for load in loads:
        assert not load.end().refused, load.refused
    assert_disjoint(*(load.ids for load in loads))
    assert_disjoint(*(load.orders for load in loads))


def runway(service):
    """Returns how long the tag lasts, in seconds, as it is told to Prometheus."""
    text = service.ask_as_operator("GET", "/metrics").body.decode()
    found = re.search(r'^snowmint_source_runway_seconds\{source="orders"\} (.*)$', text, re.M)
    return float(found[1]) if found else None


def at_hand(service):
    text = service.ask_as_operator("GET", "/metrics").body.decode()
    return float(text.split('snowmint_source_at_hand{source="orders"} ')[1].split()[0])


def test_the_runway_falls_while_the_server_is_away(snowmint):
    """No call fails while ranges last, for whoever watches; then they do, by a code."""
    with Server("postgres") as server:
        url = f"{server.url}&create=true"
        snowmint.run("segment", "create", url, "orders", "--step", 20_000).must_succeed()
        with Service(snowmint, *sources(url, "&wait_ms=100")) as service:
            def has_a_pace():
                answer = service.mint("orders", count=1_000)
                return answer.status == 200 and answer.ids[0] > 60_000

            # The pace is that of more than one range; and most of one is left.
            eventually(has_a_pace)
            eventually(lambda: at_hand(service) > 15_000)
            server.tell("end")
            seen, refused = [], None
            while refused is None:
                answer = service.mint("orders", count=1_000)
                if answer.status == 200:
                    seen.append(runway(service))
                else:
                    refused = answer.json["code"]
            seen = [one for one in seen if one is not None and one != float("inf")]
            assert len(seen) > 10 and seen[-1] < seen[0] / 2, seen
            assert refused in ("store_unavailable", "wait_timeout")
            server.tell("start")
            eventually(lambda: service.mint("orders", count=1_000).status == 200)


@pytest.mark.parametrize("kind", ["postgres"])
def test_a_server_that_goes_away_and_comes_back(snowmint, kind):
    with Server(kind) as server:
        url = f"{server.url}&create=true"
        snowmint.run("segment", "create", url, "orders", "--step", 1_000).must_succeed()
        with Service(snowmint, *sources(url, "&wait_ms=100")) as service:
            for source in ("ids", "orders"):
                eventually(lambda: service.mint(source, count=200).status == 200)
            server.tell("end")
            # Numbers at hand are given, whatever becomes of the server.
            assert len(service.mint("orders", count=100).ids) == 100
            eventually(lambda: service.mint("orders", count=500).status == 503)
            refused = service.mint("orders", count=5_000)
            assert refused.json["code"] in ("store_unavailable", "wait_timeout"), refused
            eventually(lambda: service.ask("GET", "/readyz").status == 503)
            why = service.ask("GET", "/readyz").json["sources"]["orders"]
            assert not why["ready"] and why["why"], why
            assert service.ask("GET", "/healthz").status == 200
            server.tell("start")
            # By itself: whoever asks for readiness keeps the clients away until then.
            eventually(lambda: service.ask("GET", "/readyz").status == 200)
            for source in ("ids", "orders"):
                eventually(lambda: service.mint(source).status == 200)
            assert service.stop() == 0
            assert "store" in service.said
