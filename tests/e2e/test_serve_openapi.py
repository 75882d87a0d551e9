"""The document of `snowmint serve`, held against the service by schemathesis."""

import subprocess
import sys

import pytest
from services import metric

# The same cases each time. Of an ID's text, of a lease and of a step more is asked than a schema
# says; worker IDs are soon taken; Leaf's clients know 500 alone for whatever went wrong. Stores and
# files of the page are few, events do not end, and a redirection is followed.
RULES = """
suppress-health-check = ["too_slow"]

[generation]
max-examples = 15
deterministic = true
database = "none"

[[operations]]
include-path = "/v1/decode/{id}"
checks.positive_data_acceptance.enabled = false

[[operations]]
include-path = "/admin/events"
enabled = false

[[operations]]
include-path = "/explorer"
enabled = false

[[operations]]
include-tag = "operators"
checks.positive_data_acceptance.enabled = false

[[operations]]
include-tag = "leases"
checks.positive_data_acceptance.enabled = false
checks.not_a_server_error.expected-statuses = ["2xx", "4xx", "503"]

[[operations]]
include-tag = "cosid"
checks.positive_data_acceptance.enabled = false

[[operations]]
include-tag = "leaf"
checks.not_a_server_error.expected-statuses = ["2xx", "4xx", "500"]
"""
# The schema cannot say more about counts and about what a source has.
KNOWN = """
[[operations]]
include-path = "/v1/ids/{source}"
parameters = { "path.source" = "SOURCE" }
checks.positive_data_acceptance.enabled = false

[[operations]]
include-path = "/v1/sequences/{source}/{key}"
parameters = { "path.source" = "chat" }

[[operations]]
include-tag = "leaf"
parameters = { "path.key" = "SOURCE" }

[[operations]]
include-tag = "tinyid"
parameters = { "query.bizType" = "SOURCE" }

[[operations]]
include-tag = "cosid"
parameters = { "path.namespace" = "shop", "path.name" = "orders" }

[[operations]]
include-path = "/v1/segments/{tag}/allocate"
parameters = { "path.tag" = "orders" }
"""
FRONTS = ("leaf", "tinyid", "cosid")
EVERYTHING = ["--http-get", "true", *(word for front in FRONTS for word in (f"--fronts-{front}", "true"))]


@pytest.fixture
def service(snowmint, start_service):
    """One with a source of each kind and every front."""
    store = "sqlite:ids.db?create=true"
    for tag in ("orders", "shop.orders"):
        snowmint.run("segment", "create", store, tag, "--step", 100).must_succeed()
    sources = {
        "flakes": "snowflake+sqlite:ids.db",
        "orders": "segment+sqlite:ids.db?tag=orders",
        "bills": "daily+sqlite:ids.db?tag=bills",
        "chat": "sequences+sqlite:ids.db?tag=chat",
        "uuids": "uuid:",
        "shop.orders": "segment+sqlite:ids.db?tag=shop.orders",
        "__share__": "snowflake+sqlite:ids.db",
    }
    words = [word for name, url in sources.items() for word in ("--source", f"{name}={url}")]
    return start_service(*words, *EVERYTHING, "--leases-store", "sqlite:ids.db")


def schemathesis(address, tmp_path, rules, *tags):
    """Has it try out what the document says, all of it or what has those tags."""
    path = tmp_path / "schemathesis.toml"
    path.write_text(RULES + rules)
    host, port = address
    command = [sys.executable, "-m", "schemathesis.cli", "--no-color", "--config-file", path, "run"]
    command += [f"--include-tag={tag}" for tag in tags]
    command.append(f"http://{host}:{port}/v1/openapi.json")
    # It keeps what failed in the directory that it runs in.
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_document_is_of_this_version_and_what_is_served(snowmint, start_service, service):
    document = service.ask("GET", "/v1/openapi.json").json
    version = snowmint.run("--version").must_succeed().output.split()[-1]
    assert document["info"]["version"] == version
    assert "get" in document["paths"]["/v1/ids/{source}"]
    paths = start_service().ask("GET", "/v1/openapi.json").json["paths"]
    assert list(paths["/v1/ids/{source}"]) == ["post"]
    assert not [path for path in paths if not path.startswith("/v1/") and path.count("/") > 1]
    paths = service.ask_as_operator("GET", "/v1/openapi.json").json["paths"]
    assert "/admin/reload" in paths and "/v1/ids/{source}" not in paths


def test_anything_is_answered_as_the_document_says(service, tmp_path):
    schemathesis(service.http, tmp_path, "")


def test_operators_are_answered_as_the_document_says(service, tmp_path):
    schemathesis(service.admin, tmp_path, "")
    # It has read the configuration many times by now.
    assert service.mint("orders").ids == [1]


@pytest.mark.parametrize("source", ["orders", pytest.param("uuids", marks=pytest.mark.thorough)])
def test_minting_answers_as_the_document_says(service, tmp_path, source):
    rules = KNOWN.replace("SOURCE", source)
    schemathesis(service.http, tmp_path, rules, "ids", "leases", *FRONTS)
    assert metric(service, f'snowmint_ids_total{{source="{source}"}}') > 50
