"""Worker IDs from the place: the host's address, the pod's name."""

import subprocess

import pytest
from driver import INPUT, NO_ID

IN_A_NAMESPACE = ["unshare", "-Urn", "sh", "-c"]


def minted_at(snowmint, addresses, url):
    """`snowmint id URL` on a host that has these addresses, each with its netmask."""
    add = "".join(f"ip address add {address} dev lo && " for address in addresses)
    return snowmint.run("id", url, before=[*IN_A_NAMESPACE, f'{add}exec "$0" "$@"'])


def worker_of(done):
    (id,) = done.must_succeed().ids
    return int(id) >> 12 & 1023


def test_a_netmask_says_nothing_about_peers(snowmint):
    if subprocess.run([*IN_A_NAMESPACE, "ip link"], capture_output=True, check=False).returncode:
        pytest.skip("no network namespaces for this user")
    stated = "snowflake:?worker_id=ip:10.244.0.0/22"
    here = minted_at(snowmint, ["10.244.1.7/32"], stated)
    there = minted_at(snowmint, ["10.244.2.7/24", "172.17.0.1/16"], stated)
    assert [worker_of(here), worker_of(there)] == [263, 519]
    for addresses, network, saying in [
        (["10.244.1.7/32"], "", "such as ip:10.0.4.0/22"),
        (["10.244.1.7/32"], ":10.244.0.0/16", "16 host bits"),
        (["10.244.5.7/32"], ":10.244.0.0/22", "no address in the network"),
        (["10.244.1.7/32", "10.244.2.7/32"], ":10.244.0.0/22", "several addresses"),
    ]:
        done = minted_at(snowmint, addresses, f"snowflake:?worker_id=ip{network}")
        done.must_refuse(NO_ID if network else INPUT, saying=saying)


@pytest.mark.parametrize("name", ["POD_NAME", "POD"])
def test_an_ordinal_is_of_a_pod(snowmint, name):
    url = "snowflake:?worker_id=ordinal" + ("" if name == "POD_NAME" else f":{name}")
    done = snowmint.run("id", url, environment={name: "orders-12", "HOSTNAME": "ip-10-0-1-23"})
    assert worker_of(done) == 12
    for pod in ["ip-10-0-1-23", "orders-012", "orders", "orders-+1"]:
        done = snowmint.run("id", url, environment={name: pod, "HOSTNAME": "orders-12"})
        done.must_refuse(NO_ID, saying=f'{name}="{pod}"')
    done = snowmint.run("id", url, environment={"HOSTNAME": "orders-12"})
    done.must_refuse(NO_ID, saying=f"environment variable {name}")
