"""Clients of `snowmint serve` that count by the day, and name the day."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
import redis
from driver import assert_disjoint
from services import RespClient, eventually

DAILY = "daily+sqlite:ids.db?create=true&tag=orders"


@pytest.fixture
def noon(clock):
    """A clock that stands at noon of 22 November 2026."""
    clock.freeze("2026-11-22 12:00:00")
    return clock


@pytest.fixture
def serve(start_service, noon):
    """Starts services under that clock."""

    def start(*arguments, source=DAILY):
        words = ("--source", f"orders={source}", *arguments)
        return start_service(*words, environment=noon.environment)

    return start


def tags(snowmint):
    """Their names."""
    listed = snowmint.run("segment", "list", "ids.db", "--json").must_succeed().output
    return [json.loads(line)["tag"] for line in listed.splitlines()]


def test_a_days_key_counts_from_1_on(serve):
    service = serve()
    with RespClient(service) as client:
        key = "orders:20261122"
        assert client.ask("GET", key) is None
        assert [client.ask("INCR", key) for _ in "123"] == [1, 2, 3]
        # The source's own numbers are of the same tag.
        assert client.ask("INCR", "orders") == 20261122000004
        assert client.ask("INCRBY", key, 10) == 14
        assert (client.ask("GET", key), client.ask("GET", "orders")) == (b"14", b"20261122000004")
        asked = ("EXPIRE", key, 86_400), ("TTL", key), ("EXISTS", key), ("TYPE", key), ("SETNX", key, 0)
        assert [client.ask(*words) for words in asked] == [1, -1, 1, "string", 0]
        assert client.ask("INCR", key) == 15
    assert service.mint(key, count=3).ids == [16, 17, 18]
    answer = service.ask("POST", f"/v1/ids/{key}?count=100&form=ranges")
    assert answer.json["ranges"][0]["start"] == "19"
    (orders,) = service.ask("GET", "/v1/sources").json["sources"]
    assert int(orders["issued"]) == 118


def test_clients_count_as_they_do_with_redis(serve):
    host, port = serve().resp
    with closing(redis.Redis(host=host, port=port)) as client:
        for number in (1, 2, 3):
            pipeline = client.pipeline()
            pipeline.incr("orders:20261122").expire("orders:20261122", 172_800)
            assert pipeline.execute() == [number, True]


def test_the_days_beside_today_are_given_and_no_others(serve, snowmint):
    service = serve()
    with RespClient(service) as client:
        for key in ("orders:20261121", "orders:20261122", "orders:20261123"):
            assert (client.ask("EXISTS", key), client.ask("INCR", key)) == (1, 1)
        made = [f"orders:2026112{day}" for day in "123"]
        for day in ("20261120", "20261124", "20201122", "99999999", "00000000", "20261199"):
            refused = client.refused("INCR", f"orders:{day}")
            assert refused.startswith("ERR invalid_time: orders: the day") and "20261122" in refused
            assert (client.ask("EXISTS", f"orders:{day}"), client.ask("TTL", f"orders:{day}")) == (0, -2)
            service.mint(f"orders:{day}").must_refuse(400, "invalid_time")
        for key in ("orders:2026112", "orders:202611222", "orders-20261122", "none:20261122"):
            assert client.refused("INCR", key).startswith("ERR unknown_tag")
        assert sorted(tags(snowmint)) == made


def test_a_day_that_begins_is_counted_anew(serve, noon):
    service = serve()
    with RespClient(service) as client:
        assert [client.ask("INCR", "orders:20261123") for _ in "12"] == [1, 2]
        noon.freeze("2026-11-23 12:00:00")
        eventually(lambda: client.ask("INCR", "orders") > 20261123000002)
        assert client.ask("INCR", "orders:20261123") == 3
        assert client.ask("INCR", "orders:20261122") == 1
        assert client.refused("INCR", "orders:20261121").startswith("ERR invalid_time")


def test_zones_say_which_day_it_is(serve):
    service = serve(source=f"{DAILY}&zone=-13:00")
    with RespClient(service) as client:
        assert client.ask("INCR", "orders:20261120") == 1
        assert client.refused("INCR", "orders:20261123").startswith("ERR invalid_time")


def test_keys_are_as_the_configuration_has_them(serve):
    keys = "icr:{source}:{yyyy}:{MM}:{dd}, {yyyyMMdd}-{source}"
    service = serve("--daily-keys", keys, "--source", "chat=sequences+sqlite:ids.db?create=true&tag=chat")
    with RespClient(service) as client:
        assert client.ask("INCR", "icr:orders:2026:11:22") == 1
        assert client.ask("INCR", "20261122-orders") == 2
        assert client.refused("INCR", "orders:20261122").startswith("ERR unknown_tag")
        assert client.refused("INCR", "20261122-chat").startswith("ERR unsupported: chat has no days")
        assert client.ask("EXISTS", "20261122-chat") == 0


def test_services_and_embedded_sources_never_repeat_each_other(serve, snowmint, noon):
    services = [serve(), serve()]

    def count(service):
        with RespClient(service) as client:
            return [client.ask("INCR", "orders:20261123") for _ in range(1_500)]

    def mint(_):
        done = snowmint.run("id", DAILY, "--count", 1_500, environment=noon.environment)
        return [number % 1_000_000 for number in done.must_succeed().ids]

    noon.freeze("2026-11-23 00:00:01")
    with ThreadPoolExecutor() as pool:
        counted = list(pool.map(count, services * 4))
        minted = list(pool.map(mint, range(2)))
    assert_disjoint(*counted, *minted)


def test_a_store_that_is_away_is_told_and_asked_again(serve, snowmint):
    service = serve(source=f"{DAILY}&wait_ms=300")
    path = snowmint.directory / "ids.db"
    with RespClient(service) as client, closing(sqlite3.connect(path)) as other:
        eventually(lambda: client.ask("INCR", "orders:20261122") == 1)
        other.execute("BEGIN EXCLUSIVE")
        refused = client.refused("INCR", "orders:20261123")
        assert refused.startswith(("ERR wait_timeout", "ERR store_locked")), refused
        other.execute("ROLLBACK")
        eventually(lambda: client.ask("INCR", "orders:20261123") == 1)
