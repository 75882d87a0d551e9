"""The pages of docs/: every block of code is an excerpt of a file in examples/, and the lines for a
shell run as they stand."""

import re
import subprocess

import pytest
import yaml
from driver import REPOSITORY
from shells import filled, typed

PAGES = sorted((REPOSITORY / "docs").rglob("*.md"))
# Drawings, and the output of programs.
NOT_CODE = {"text", "output"}
EXCERPT = re.compile(r'--8<-- "(?P<file>(?:core/runtime/)?examples/[^":]+)(?::(?P<section>[\w-]+))?"')
# The places that pages name, and the parameters that a test's database needs besides.
PLACES = {
    "postgres": "postgres://ids@host/ids",
    "mysql": "mysql://ids@host/ids",
    "redis": "redis://host:6379/0",
    "etcd": "etcd://host:2379",
    "zookeeper": "zookeeper://host:2181",
}


def blocks(page):
    """The language and the lines of each block of code."""
    text = page.read_text(encoding="utf-8")
    for indent, language, lines in re.findall(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", text, re.M | re.S):
        yield language, [line.removeprefix(indent) for line in lines.splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_each_block_of_code_is_an_excerpt(page):
    for language, lines in blocks(page):
        if language in NOT_CODE:
            continue
        assert lines and language, (page, lines)
        for line in lines:
            excerpt = EXCERPT.fullmatch(line.strip())
            assert excerpt, f"{page}: code stands in examples/, and the page names it: {line}"
            file = REPOSITORY / excerpt["file"]
            assert file.is_file(), file
            section = excerpt["section"]
            assert not section or f"[start:{section}]" in file.read_text(encoding="utf-8"), line


@pytest.fixture
def databases(request):
    """Returns the URL of a new database for the place that a line names."""
    second = ("postgres://ids@new/ids", "postgres://ids@b/ids")
    fixtures = {"mysql": "mariadb"} | dict.fromkeys(second, "second_database")

    def database(scheme, place=None):
        return request.getfixturevalue(fixtures.get(place) or fixtures.get(scheme, scheme))

    return database


def joined(database, parameters):
    """The URL of a test's database with a line's parameters, which take the place of its own."""
    base, _, own = database.partition("?")
    names = {parameter.partition("=")[0] for parameter in parameters.split("&")}
    kept = [parameter for parameter in own.split("&") if parameter.partition("=")[0] not in names]
    return f"{base}?{'&'.join([*kept, parameters]).strip('&')}"


def there(line, databases, made):
    """The line with this test's directory and databases in place of those that it names."""
    for place in ("/var/lib/shop/", "/tmp/shop"):
        line = line.replace(place, f"{made['directory']}/{place.rpartition('/')[2]}")
    for scheme, example in PLACES.items():
        places = re.escape(example).replace("ids@host", "ids@(?:host|old|new|a|b)")
        for place, rest in re.findall(rf"({places})([^\s'\"]*)", line):
            database = made.setdefault(place, databases(scheme, place))
            url, parameters = place + rest, rest.partition("?")[2]
            line = line.replace(url, joined(database, parameters))
    return line


def fill(database, file):
    """Runs the statements of a file, the tables of an application, in a database."""
    host, port, name = re.search(r"@(.*):(\d+)/(\w+)", database).groups()
    if database.startswith("postgres"):
        client = ["psql", "-X", "-q", "-d", database]
    else:
        client = ["mariadb", "--no-defaults", "-u", "root", "-h", host, "-P", port, name]
    with file.open() as statements:
        subprocess.run(client, stdin=statements, check=True)


@pytest.mark.parametrize("file", sorted((REPOSITORY / "examples/sh").glob("*.sh")), ids=lambda file: file.stem)
def test_the_lines_for_a_shell(snowmint, databases, file):
    """They run in the order of their file, each as a user would type it (see `typed`). The tables of
    `NAME.mysql.sql` are in the database before `NAME.sh` runs. A file for several has all their names."""
    made = {"directory": snowmint.directory}
    for tables in file.parent.glob("*.sql"):
        *names, scheme = tables.stem.split(".")
        if file.stem not in names:
            continue
        place = PLACES[scheme]
        made[place] = databases(scheme)
        fill(made[place], tables)
    said = ""
    for command, status, expected in typed(file):
        done = snowmint.shell(there(filled(command, said), databases, made))
        said = done.errors
        assert done.status == status, (command, done)
        assert expected in done.output + done.errors, (command, done)


@pytest.mark.parametrize("file", sorted((REPOSITORY / "examples/kubernetes").glob("*.yaml")), ids=lambda file: file.stem)
def test_the_manifests_open_a_source_that_is_there(snowmint, databases, file):
    """With the environment that their pod gets, as far as they tell it."""
    manifest = yaml.safe_load(file.read_text(encoding="utf-8"))
    (container,) = manifest["spec"]["template"]["spec"]["containers"]
    variables = {each["name"]: each.get("value") for each in container["env"]}
    url = re.sub(r"key_space=\w+", "create=true", variables["IDS_URL"])
    url = url.replace("@postgres/", "@host/").replace("/var/lib/ids", str(snowmint.directory))
    made = {"directory": snowmint.directory}
    environment = {"POD_NAME": "shop-2"} if "POD_NAME" in variables else {}
    assert len(snowmint.run("id", there(url, databases, made), environment=environment).must_succeed().ids) == 1
