"""The lines of the README, the tables of the reference, and the examples of `--help`: they run as they
stand."""

import json
import os
import re
import shlex
import subprocess
from urllib.parse import urlsplit

import pytest
from driver import INPUT, NO_ID, REPOSITORY, STORE, assert_disjoint
from services import RespClient

README, URLS, WORKER_IDS, POLICIES, EVENTS = (
    (REPOSITORY / path).read_text(encoding="utf-8")
    for path in (
        "README.md",
        "core/runtime/URLS.md",
        "docs/concepts/worker-ids.md",
        "docs/reference/policies.md",
        "docs/reference/events.md",
    )
)
COMMANDS = [(), ("id",), ("decode",), ("layouts",), ("bounds",), ("segment",), ("worker",)]


def block(heading, language):
    """The lines of the last block of that language under a heading of the README."""
    section = re.split(rf"\n#+ {re.escape(heading)}\n", README)[1].split("\n#")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)[-1].splitlines()


def table():
    """The sources that the pages list in tables. A service has tests of its own, and the command refuses
    stores in memory."""
    rows = re.findall(r"^\|.*\|$", README + URLS + WORKER_IDS, re.MULTILINE)
    urls = [url for row in rows for url in re.findall(r"`((?:snowflake|segment|daily|sequences|uuid)[:+][^`]+)`", row)]
    return [url for url in urls if "+http:" not in url and "+memory:" not in url]


def here(line, snowmint):
    """A line that names a file of this test."""
    return line.replace("/var/lib/shop", str(snowmint.directory))


def test_the_command_lines(snowmint):
    lines = [line for line in block("Command line", "sh") if line.startswith("snowmint ")]
    lines = [here(line, snowmint) for line in lines]
    assert len(lines) >= 6
    printed = {}
    for line in lines:
        done = snowmint.shell(line).must_succeed()
        assert done.output and not done.errors, done
        printed[line.split("#")[0].strip()] = done.output
    assert re.fullmatch(r"\d+\n", printed["snowmint id"])
    assert "2022-06-28T16:07:40.105Z" in printed["snowmint decode 1541815603606036480"]
    segment = next(line for line in printed if "segment+sqlite" in line)
    assert printed[segment] == "1\n"
    assert [snowmint.shell(segment).output for _ in range(2)] == ["2\n", "3\n"]
    for line in lines:
        assert not snowmint.shell(line).must_succeed().errors, "a second time"


def test_the_lines_of_the_command_s_own_readme(snowmint, start_service):
    text = (REPOSITORY / "core/cli/README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", here(text, snowmint), re.DOTALL)
    _, lines, served = (found.splitlines() for found in blocks)
    assert len(lines) >= 6
    minted = [snowmint.shell(line).must_succeed().output for line in lines]
    assert len(minted[0].split()) == 3 and minted[4] == "1\n"
    again = [snowmint.shell(line).must_succeed().output for line in lines]
    assert again[4] == "2\n"
    serve, curl, redis_cli = (shlex.split(line, comments=True) for line in served)
    assert serve[:2] == ["snowmint", "serve"]
    service = start_service(*serve[2:])
    (first,) = service.ask("POST", urlsplit(curl[-1]).path).ids
    with RespClient(service) as client:
        assert client.ask(*redis_cli[3:]) == first + 1


@pytest.mark.parametrize(
    ("package", "heading", "language"),
    [
        ("python", "Python", "python"),
        ("npm", "Node.js", "js"),
        ("java", "Java", "java"),
    ],
)
def test_the_lines_of_a_language_are_those_of_its_package(package, heading, language):
    """The tests of the package run its lines."""
    theirs = (REPOSITORY / "packages" / package / "README.md").read_text(encoding="utf-8")
    first = re.search(rf"```{language}\n(.*?)```", theirs, re.DOTALL)[1]
    assert block(heading, language) == first.splitlines()


PLACES = {
    "postgres": "postgres://user@host/database",
    "mysql": "mysql://user@host/database",
    "redis": "redis://host:6379/0",
    "etcd": "etcd://host:2379",
    "zookeeper": "zookeeper://host:2181",
}


@pytest.fixture
def databases(postgres, mariadb, redis, etcd, zookeeper):
    """The URLs of new databases, by their scheme."""
    return {"postgres": postgres, "mysql": mariadb, "redis": redis, "etcd": etcd, "zookeeper": zookeeper}


def there(url, databases):
    """The URL in a database that is there: with its parameters, and those of the test's server."""
    address, _, parameters = url.partition("?")
    for scheme, database in databases.items():
        address = address.replace(PLACES[scheme], database)
    return f"{address}&{parameters}".rstrip("&")


def test_the_sources_of_the_tables(snowmint, databases):
    for store in ("sqlite:ids.db", *databases.values()):
        joined = f"{store}&create=true" if "?" in store else f"{store}?create=true"
        snowmint.run("segment", "create", joined, "orders").must_succeed()
    environment = {"SNOWMINT_WORKER_ID": "11", "POD_NAME": "orders-12"}
    urls = table()
    assert len(urls) >= 12
    minted = []
    for url in urls:
        key = ["--key", 7] if url.startswith("sequences") else []
        url = re.sub(r"(?<=:2379|:2181),host:\d+", "", url)
        url = there(url, databases) if re.search(r"\+(?!sqlite)", url) else url
        done = snowmint.run("id", url, "-n", 2, *key, environment=environment)
        if "worker_id=ip:" in url and done.status != 0:
            # This host has no address in that network.
            done.must_refuse(NO_ID, saying="no address in the network 10.0.4.0/22")
        elif url.startswith("uuid"):
            assert re.fullmatch(r"([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}\n){2}", done.output)
        else:
            assert len(done.must_succeed().ids) == 2
        if url.startswith("snowflake:") and done.status == 0:
            minted.append(done.ids)
    assert_disjoint(*minted)


def parameters():
    """The parameters that URLS.md lists, each with one that takes it."""
    for names, takers in re.findall(r"^\| (`[^|]*) \| ([^|]*) \| [^|]* \|$", URLS, re.MULTILINE):
        for taker in takers.split(", "):
            yield from ((taker, name) for name in re.findall(r"`([^`]+)`", names))


SCHEMES = ("postgres", "mysql", "redis", "rediss", "etcd", "etcds", "zookeeper", "zookeepers", "http", "https")


@pytest.mark.parametrize(
    "url",
    ["snowflake:", "uuid:"]
    + [f"snowflake+{scheme}://user@host/database" for scheme in SCHEMES]
    + [f"{kind}+sqlite:ids.db" for kind in ("snowflake", "segment", "daily", "sequences")],
)
def test_the_parameters_are_those_of_the_program(snowmint, url):
    done = snowmint.run("id", f"{url}?nonsense=1").must_refuse(INPUT)
    lists = dict(re.findall(r"(\w+) takes ([\w, -]+)", done.errors))
    known = {(taker, name) for taker, names in lists.items() for name in names.split(", ")}
    # With a colon: only where no store follows.
    takers = {*lists, url}
    assert known == {(taker.strip(":"), name) for taker, name in parameters() if taker in takers}


def test_the_policies_are_those_of_the_program(snowmint):
    done = snowmint.run("id", "snowflake:?worker_id=7&policy=nonsense").must_refuse(INPUT)
    (known,) = re.findall(r"one of ([\w, -]+)", done.errors)
    (listed,) = re.findall(r"The policies are (.*?)\.\n", URLS, re.DOTALL)
    assert re.findall(r"`([^`]+)`", listed) == known.split(", ")
    rows = POLICIES.split("\n## Which policies are there?\n")[1].split("\n## ")[0]
    assert re.findall(r"^\| `([^`]+)`", rows, re.MULTILINE) == known.split(", ")


def test_the_events_are_those_of_every_language():
    text = (REPOSITORY / "tests/vectors/events.json").read_text(encoding="utf-8")
    listed = re.findall(r"^\| (\d+) \| `(\w+)` \| (\w+) \|", EVENTS, re.MULTILINE)
    assert listed == [(str(event["number"]), event["name"], event["severity"]) for event in json.loads(text)["events"]]


def test_the_pages_that_the_command_writes_are_not_stale(snowmint):
    command = [REPOSITORY / "scripts/document", "--check"]
    subprocess.run(command, env={**os.environ, "SNOWMINT": str(snowmint.binary)}, check=True)


def test_the_rust_example_is_the_one_that_the_crate_compiles():
    crate = (REPOSITORY / "core/runtime/src/lib.rs").read_text(encoding="utf-8")
    compiled = [line.removeprefix("//! ") for line in crate.splitlines() if line.startswith("//! ")]

    def essence(line):
        # The path of the file is the one difference.
        return re.sub(r'open\((&url|"[^"]*")\)\?;.*', "open(…)?;", line)

    compiled = [essence(line) for line in compiled]
    lines = block("Rust", "rust")
    assert len(lines) >= 4
    missing = [line for line in lines if line and essence(line) not in compiled + ["flake.close()?;"]]
    assert not missing


def anchors(document):
    """Returns the anchors to which a link into it may lead."""
    text = document.read_text(encoding="utf-8")
    if included := re.fullmatch(r'--8<-- "([^"]+)"\n', text):
        text = (REPOSITORY / included[1]).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


OF_STORES = [f"core/runtime/{name}.md" for name in ("README", "URLS")]
OF_THE_SERVICE = ["core/server/README.md"]


OF_USERS = [str(path.relative_to(REPOSITORY)) for path in sorted(REPOSITORY.glob("docs/**/*.md"))]


@pytest.mark.parametrize(
    "document",
    ["README.md", "ARCHITECTURE.md", "core/cli/README.md", *OF_STORES, *OF_THE_SERVICE, *OF_USERS],
)
def test_each_file_and_section_a_document_refers_to_exists(document):
    place = REPOSITORY / document
    text = place.read_text(encoding="utf-8")
    # Pages that are also read elsewhere name their links in full.
    text = text.replace("](https://github.com/snowmint/snowmint/blob/main/", f"]({REPOSITORY}/")
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text):
        there = place.parent / target if target else place
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), (target, anchor)
    for script in re.findall(r"^(scripts/\S+)", text, re.MULTILINE):
        assert (REPOSITORY / script).stat().st_mode & 0o111, script


def test_the_count_of_presets_is_that_of_the_program(snowmint):
    (count,) = re.findall(r"(\d+) presets", README)
    layouts = snowmint.run("layouts", "--json").must_succeed().output.splitlines()
    assert len(layouts) == int(count)


def examples(snowmint, command):
    text = snowmint.run(*command, "--help").must_succeed().output
    return [line.strip() for line in text.split("Examples:\n")[1].splitlines() if line.strip()]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command) or "snowmint")
def test_the_examples_of_help(snowmint, command):
    """Run in order where the store has what they speak of: a tag, and a worker ID 7 whose holder
    was killed."""
    lines = examples(snowmint, command)
    assert len(lines) >= 3
    snowmint.mint()
    if not any(line.startswith("snowmint segment create") for line in lines):
        snowmint.run("segment", "create", "sqlite:ids.db?create=true", "orders").must_succeed()
    if command == ("worker",):
        few = "snowflake+sqlite:ids.db?create=true&layout=time:41,worker:3,sequence:12"
        holders = [snowmint.stream(few) for _ in range(8)]
        for holder in holders:
            holder.read(1)
        for holder in holders:
            holder.kill()
    for line in lines:
        done = snowmint.shell(line)
        if line == "snowmint worker release ids.db 7":
            assert done.status == 2 and "add --yes" in done.errors, done
        else:
            assert not done.must_succeed().errors, done


@pytest.mark.parametrize(
    "command",
    [("segment", name) for name in ("list", "create", "set", "raise")]
    + [("worker", name) for name in ("list", "release")],
    ids=" ".join,
)
def test_every_command_has_examples_of_itself(snowmint, command):
    lines = examples(snowmint, command)
    assert any(f"{line} ".startswith(f"snowmint {' '.join(command)} ") for line in lines)


def test_the_version_is_that_of_the_workspace(snowmint):
    manifest = (REPOSITORY / "Cargo.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "([^"]*)"', manifest, re.MULTILINE)[1]
    assert snowmint.run("--version").must_succeed().output == f"snowmint {version}\n"
