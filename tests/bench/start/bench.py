"""Measures the time from the start of a process to its first ID and its end, and the size of what was installed.

Each round runs every program once. A figure is the median of the rounds, less that of an empty program of its
language.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from report import Line, as_json, markdown, plain

PYTHON = {
    "nothing": "",
    "snowmint": "import snowmint; snowmint.open('snowflake+memory:start').next_id()",
    "uuid": "import uuid; uuid.uuid4()",
    "uuid_utils": "import uuid_utils; uuid_utils.uuid7()",
    "ulid": "import ulid; ulid.ULID()",
}
NODE = {
    "nothing": "",
    "snowmint": "require('snowmint').open('snowflake+memory:start').then((flake) => flake.nextId())",
    "@sapphire/snowflake": "new (require('@sapphire/snowflake').Snowflake)(0).generate()",
    "ulid": "require('ulid').ulid()",
}
JAVA = ("nothing", "snowmint", "CosId", "UUID")


def programs(options: argparse.Namespace) -> Iterator[tuple[str, str, list[str]]]:
    """Yields the language, the name and the command of each program."""
    for name, code in PYTHON.items():
        yield "Python", name, [sys.executable, "-c", code]
    for name, code in NODE.items():
        yield "Node", name, ["node", "-e", code]
    for name in JAVA:
        yield "Java", name, ["java", "-Xshare:auto", "-cp", options.class_path, "Start", name]
    yield "command", "nothing", ["true"]
    yield "command", "snowmint --version", [options.command, "--version"]


def milliseconds(command: list[str], node: Path) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, cwd=node, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1e3


def starts(options: argparse.Namespace) -> Iterator[Line]:
    rounds: dict[tuple[str, str], list[float]] = {}
    for _ in range(3 if options.quick else 21):
        for language, name, command in programs(options):
            rounds.setdefault((language, name), []).append(milliseconds(command, options.node))
    medians = {key: statistics.median(times) for key, times in rounds.items()}
    for (language, name), median in medians.items():
        if name == "nothing":
            yield Line(f"start, {language}", "an empty program", median, "ms")
        else:
            own = median - medians[language, "nothing"]
            yield Line(f"start, {language}", name, own, "ms more")


def size(path: Path) -> int:
    """Returns the bytes of a file or of all files in a folder."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files)


def sizes(options: argparse.Namespace) -> Iterator[Line]:
    for name in PYTHON:
        found = importlib.util.find_spec(name) if name != "nothing" else None
        if found and found.origin and found.submodule_search_locations:
            yield Line("installed, Python", name, size(Path(found.origin).parent) / 1e6, "MB")
    modules = options.node / "node_modules"
    for name in NODE:
        if name != "nothing":
            folders = [modules / name, *(modules.glob("@snowmint/*") if name == "snowmint" else ())]
            yield Line("installed, Node", name, sum(map(size, folders)) / 1e6, "MB")
    for jar in sorted(options.class_path.split(":")[1:]):
        for path in sorted(Path(jar).parent.glob("cosid-core*.jar") if jar.endswith("*") else [Path(jar)]):
            yield Line("installed, Java", path.name, size(path) / 1e6, "MB")
    yield Line("installed, command", "snowmint", size(Path(options.command)) / 1e6, "MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", required=True, help="the released command")
    parser.add_argument("--node", type=Path, required=True, help="a folder with the packages of Node")
    parser.add_argument("--class-path", required=True, help="of Start, snowmint and its peers")
    parser.add_argument("--quick", action="store_true")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_const", dest="form", const=as_json)
    form.add_argument("--markdown", action="store_const", dest="form", const=markdown)
    options = parser.parse_args()
    options.node = options.node.resolve()
    lines = [*starts(options), *sizes(options)]
    print((options.form or plain)(lines))


if __name__ == "__main__":
    main()
