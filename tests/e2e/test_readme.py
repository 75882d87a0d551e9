"""The lines of the README, of STORES.md and URLS.md, and the examples of `--help`: they run as they
stand."""

import random
import re
import shlex
import subprocess
from urllib.parse import urlsplit

import pytest
from driver import INPUT, NO_ID, REPOSITORY, STORE, assert_disjoint
from services import RespClient

README, STORES, URLS = (
    (REPOSITORY / path).read_text(encoding="utf-8")
    for path in ("README.md", "core/runtime/STORES.md", "core/runtime/URLS.md")
)
COMMANDS = [(), ("id",), ("decode",), ("layouts",), ("bounds",), ("segment",), ("worker",)]


def block(heading, language, document=README, which=-1):
    """The lines of a block of that language under a heading: of the last unless it is said which."""
    section = document.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)[which].splitlines()


def table():
    """The sources that the README lists, as whole URLs."""
    section, urls = README.split("\n## Rust\n")[1].split("\n## ")[0], []
    for row in re.findall(r"^\| [^|]* \| (`[^|]*) \|$", section, re.MULTILINE):
        for text in re.findall(r"`([^`]+)`", row):
            urls.append(f"snowflake:?{text}" if text.startswith("worker_id=") else text)
    return urls


def here(line, snowmint):
    """A line that names a file of this test."""
    return line.replace("/var/lib/shop", str(snowmint.directory))


def test_the_command_lines(snowmint):
    lines = [line for line in block("Command line", "sh") if line.startswith("snowmint ")]
    lines = [here(line, snowmint) for line in lines]
    assert len(lines) >= 7
    printed = {}
    for line in lines:
        done = snowmint.shell(line).must_succeed()
        assert done.output and not done.errors, done
        printed[line.split("#")[0].strip()] = done.output
    assert re.fullmatch(r"\d+\n", printed["snowmint id"])
    assert re.fullmatch(r"([0-9A-Z]{13}\n){3}", printed["snowmint id -n 3 --format base32"])
    assert "2022-06-28T16:07:40.105Z" in printed["snowmint decode 1541815603606036480"]
    assert "sequence" in printed["snowmint layouts twitter"]
    segment = next(line for line in printed if "segment+sqlite" in line)
    assert printed[segment] == "1\n"
    assert [snowmint.shell(segment).output for _ in range(2)] == ["2\n", "3\n"]
    assert "WORKER" in printed["snowmint worker list"]
    for line in lines + re.findall(r"`(snowmint segment create ids\.db [^`]*)`", README) * 2:
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
        ("npm", "Node", "js"),
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


@pytest.mark.parametrize("heading", ["PostgreSQL", "MariaDB and MySQL", "Redis", "etcd", "ZooKeeper"])
def test_the_lines_on_a_database(snowmint, databases, heading):
    lines = [line for line in block(heading, "sh", STORES, 0) if line.startswith("snowmint ")]
    assert len(lines) >= 4
    for line in lines:
        url = line.split("'")[1]
        done = snowmint.shell(line.replace(url, there(url, databases))).must_succeed()
        assert done.output and not done.errors, done
    segment = next(there(line.split("'")[1], databases) for line in lines if "segment+" in line)
    assert [snowmint.mint(segment) for _ in range(2)] == [[2], [3]]
    for line in lines:
        url = line.split("'")[1]
        snowmint.shell(line.replace(url, there(url, databases))).must_succeed()


def test_the_lines_on_counters(snowmint, redis_server, postgres):
    first = random.randrange(9_000)
    places = {f"redis://{name}/0": f"{redis_server}/{first + at}" for at, name in enumerate(("cache", "a", "b"))}
    for (place, url), start in zip(places.items(), ("10", "1", "2"), strict=True):
        for command in (["FLUSHDB"], ["SET", "orders", start]):
            subprocess.run(["redis-cli", "-e", "-u", url, *command], stdout=subprocess.DEVNULL, check=True)
    snowmint.run("migrate", postgres).must_succeed()
    lines = []
    for line in block("Counters of `INCR` in Redis", "sh", STORES):
        for place, url in [*places.items(), ("postgres://ids@host/ids", f"'{postgres}'")]:
            line = line.replace(place, url)
        lines.append(line)
    again = [line for line in lines if " segment move " not in line]
    assert len(again) == len(lines) - 1, "a counter moves once"
    shown = []
    for line in again + lines:
        shown += snowmint.shell(line).must_succeed().output.splitlines()
    assert shown[0] == "11" and shown[1] in ("3", "4") and shown[2].endswith("000001"), shown
    assert snowmint.mint(f"segment+{postgres}&tag=orders") > [11]
    moved = snowmint.run("id", f"segment+{places['redis://cache/0']}?dialect=counter&tag=orders")
    moved.must_refuse(STORE, saying="error[tag_moved]")


@pytest.mark.parametrize("scheme", PLACES)
def test_the_urls_of_a_database(snowmint, databases, scheme):
    """The URLs in STORES.md are tried, as all languages open the same ones."""
    pattern = rf"[`']((?:(?!kind)\w+\+)?{re.escape(PLACES[scheme])}[^`'…]*)[`']"
    urls = set(re.findall(pattern, STORES))
    assert any("create=true" in url for url in urls) and any("tag=orders" in url for url in urls)
    create = f"{databases[scheme]}&create=true"
    snowmint.run("segment", "create", create, "orders").must_succeed()
    for url in urls:
        if "+" in url.split(":")[0]:
            assert len(snowmint.mint(there(url, databases), "-n", 2)) == 2
        else:
            snowmint.run("segment", "list", there(url, databases)).must_succeed()


def test_the_sources_of_the_table(snowmint, postgres, mariadb):
    database = postgres.split("?")[0]
    other = mariadb.split("?")[0]
    for store in ("sqlite:ids.db", database, other):
        snowmint.run("segment", "create", f"{store}?create=true", "orders").must_succeed()
    environment = {"SNOWMINT_WORKER_ID": "11", "POD_NAME": "orders-12"}
    urls = table()
    assert len(urls) >= 8
    minted = []
    for url in urls:
        key = ["--key", 7] if url.startswith("sequences") else []
        url = url.replace("postgres://user@host/database", database)
        url = url.replace("mysql://user@host/database", other)
        done = snowmint.run("id", url, "-n", 2, *key, environment=environment)
        if "worker_id=ip:" in url and done.status != 0:
            # This host has no address in that network.
            done.must_refuse(NO_ID, saying="no address in the network 10.0.4.0/22")
        elif url.startswith("uuid"):
            assert re.fullmatch(r"([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}\n){2}", done.output)
        else:
            assert len(done.must_succeed().ids) == 2
        if url.startswith("snowflake") and done.status == 0:
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
    (listed,) = re.findall(r"The policies are (.*?);", URLS)
    assert re.findall(r"`([^`]+)`", listed) == known.split(", ")


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
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


OF_STORES = [f"core/runtime/{name}.md" for name in ("README", "STORES", "URLS")]
OF_THE_SERVICE = [f"core/server/{name}.md" for name in ("MIGRATING", "README")]


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
