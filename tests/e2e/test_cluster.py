"""A central cluster: services on one database behind nginx and behind HAProxy, as they are shipped."""

from contextlib import ExitStack

import pytest
import yaml
from clusters import Cluster, Direct, Front, assert_none_failed
from driver import assert_disjoint, rounds, seeded
from loads import HttpLoad, RespLoad
from proxies import SHIPPED, Proxy
from services import Answer


@pytest.fixture
def cluster(request, snowmint, postgres):
    snowmint.run("segment", "create", f"{postgres}&create=true", "orders").must_succeed()
    with ExitStack() as stack:
        yield Cluster(snowmint, postgres, stack, orders_rise=getattr(request, "param", False))


@pytest.fixture
def proxy(cluster, tmp_path):
    with ExitStack() as stack:
        def start(kind, extra=""):
            return stack.enter_context(Proxy(tmp_path, kind, cluster.addresses[:3], extra))

        yield start


@pytest.mark.parametrize("kind", ["nginx", "haproxy"])
def test_no_call_fails_whichever_server_does(cluster, proxy, kind):
    """Servers are killed and stopped one after the other. SNOWMINT_E2E_ROUNDS=100 is the long form."""
    no_call_fails(cluster, proxy(kind), seeded(f"cluster {kind}"))


@pytest.mark.parametrize("cluster", [True], indirect=True, ids=["ordered"])
@pytest.mark.parametrize("kind", ["nginx", "haproxy"])
def test_no_call_fails_while_an_ordered_tag_changes_hands(cluster, proxy, kind):
    no_call_fails(cluster, proxy(kind), seeded(f"ordered {kind}"))


def no_call_fails(cluster, proxy, chance):
    with HttpLoad(Front(proxy), clients=4) as load:
        for _ in range(rounds(4)):
            load.until(2_000 + min(len(load.ids), len(load.orders)))
            at = chance.randrange(3)
            service = cluster.services[at]
            service.kill() if chance.random() < 0.5 else service.stop()
            cluster.begin_again(at)
        load.end()
    assert not load.refused and not load.broken, (load.refused, load.broken)
    assert_disjoint(load.ids)
    assert_disjoint(load.orders)


# More than a pipe and the ranges at hand hold: the command mints so many at a time.
A_FEW_RANGES = 70_000


def test_clients_that_route_beside_a_proxy(snowmint, cluster, proxy):
    """One server after the other is killed or restarted, and a fourth one comes and goes. Those of all
    languages are in test_cluster_languages.py."""
    chance = seeded("cluster direct")
    with ExitStack() as stack:
        load = stack.enter_context(HttpLoad(Front(proxy("nginx")), clients=4))
        direct = Direct(snowmint, stack, cluster)
        for _ in range(2):
            direct.begin()
        for event in range(rounds(2)):
            fourth = cluster.begin(3) if event % 2 else None
            direct.put(range(4 if fourth else 3))
            at = chance.randrange(3)
            service = cluster.services[at]
            service.kill() if chance.random() < 0.7 else service.stop()
            direct.read(A_FEW_RANGES)
            cluster.begin_again(at)
            load.until(500 + min(len(load.ids), len(load.orders)))
            if fourth:
                direct.put(range(3))
                direct.read(A_FEW_RANGES)
                fourth.kill()
        print(assert_none_failed(load, direct))


def test_the_protocol_of_redis_behind_a_proxy(cluster, proxy):
    """Connections end with their server, and new ones are to another."""
    front = Front(proxy("haproxy"))
    before = RespLoad(front, clients=6).until(500)
    cluster.services[0].kill()
    after = RespLoad(front, clients=6).until(500)
    assert not after.broken, after.broken
    for load in (before, after):
        assert not load.end().refused, load.refused
    assert_disjoint(before.ids, after.ids)
    assert_disjoint(before.orders, after.orders)


def test_nothing_is_cached_whatever_the_proxy_is_told(cluster, proxy):
    front = Front(proxy("nginx", CACHES))
    connection = front.connect()
    taken = []
    for _ in range(20):
        connection.request("GET", "/v1/ids/orders?count=1")
        taken += Answer(connection.getresponse()).ids
    assert_disjoint(taken)
    # Answers that may be kept are kept, so the cache is one.
    answers = []
    for _ in range(3):
        connection.request("GET", "/kept")
        answers.append(Answer(connection.getresponse()).headers["x-cache"])
    assert answers[1:] == ["HIT", "HIT"], answers
    connection.close()


# Locations of a server that caches every answer that allows it.
CACHES = """
    location ~ ^/v1/ {
        proxy_pass http://snowmint;
        proxy_cache all;
        proxy_cache_key $uri;
        proxy_cache_valid any 1h;
    }
    location = /kept {
        proxy_pass http://snowmint/healthz;
        proxy_cache all;
        proxy_ignore_headers Cache-Control Vary;
        proxy_cache_valid any 1h;
        add_header X-Cache $upstream_cache_status;
    }
"""


def test_the_containers_begin_as_they_say(snowmint):
    composed = yaml.safe_load((SHIPPED / "compose.yaml").read_text())["services"]
    assert composed["a"] == composed["b"] == composed["c"]
    own = composed["a"]["environment"]
    printed = snowmint.run("serve", "--print-config", environment=own).must_succeed().output
    assert "@database/ids?tag=orders" in printed and "drain_ms = 2000" in printed
