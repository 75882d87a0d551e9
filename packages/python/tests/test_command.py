"""``python -m snowmint``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import snowmint
from snowmint import Snowflake


def ended(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-m", "snowmint", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_package_is_a_command(tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", "-m", "snowmint", *arguments]
        environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    fixed = f"snowflake:?worker_id=7&state={tmp_path / 'fixed'}"
    ids = run("id", "-n", "3").stdout.split()
    assert len(set(ids)) == 3 and sorted(ids) == ids
    assert run("id", "--format", "base32").stdout.strip().isalnum()
    assert "twitter" in run("decode", *ids).stdout
    assert "2022" in run("decode", "--layout", "twitter", "1541815603606036480").stdout
    assert len(run("id", "uuid:").stdout.strip()) == 36
    wrong = run("id", "snowflake:?wroker=7")
    assert wrong.returncode == 2 and wrong.stderr.startswith("error[unknown_parameter]: ")
    assert run("decode", "hello!").returncode == 2
    assert run("id", "-n", "0").returncode == 2
    formed = run("id", "uuid:", "--format", "hex")
    assert formed.returncode == 2 and formed.stderr.startswith("error[unsupported]: ")
    assert "leave --format out" in formed.stderr
    small = run("decode", "12345")
    assert (small.returncode, small.stdout) == (2, "") and "unknown_layout" in small.stderr
    assert int(run().stdout) > int(ids[-1]), "it mints without a word"
    of_urls = (("-n", "3", "uuid:"), ("--count=3", "uuid:"), ("--format", "hex", "-n", "3", fixed))
    for options in of_urls:
        assert len(run(*options).stdout.split()) == 3, options
    for options in (("-n", "3"), ("-n", "3", "id"), ("id", "-n", "3"), ("-n", "9", "id", "-n", "3")):
        assert len(run(*options).stdout.split()) == 3, options
    assert run("--format", "base32").stdout.strip().isalnum()
    assert run("-n", "0").returncode == 2
    assert len(run("uuid:", "-n", "2").stdout.split()) == 2, "a URL needs no command"
    assert run("-V").stdout == run("--version").stdout == f"snowmint {snowmint.version}\n"


def test_the_command_decodes_on_after_what_is_wrong() -> None:
    command = [sys.executable, "-I", "-m", "snowmint", "decode", "1", "175928847299117063", "x!"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.stdout.startswith("175928847299117063 may be"), ended
    codes = [line.partition(":")[0] for line in ended.stderr.splitlines()]
    assert codes == ["error[unknown_layout]", "error[unknown_text_form]"]
    assert ended.returncode == 2


def test_the_command_ends_as_the_binary_does(tmp_path: Path) -> None:
    def status(url: str) -> int:
        command = [sys.executable, "-I", "-m", "snowmint", "id", url]
        return subprocess.run(command, capture_output=True, timeout=60).returncode

    assert status(f"snowflake+sqlite:{tmp_path}/missing.db?wait_ms=0") == 4
    with Snowflake(worker_id=7, state_directory=tmp_path):
        assert status(f"snowflake:?worker_id=7&state={tmp_path}") == 3
    expired = "layout=baidu-default"
    assert status(f"snowflake:?worker_id=7&state={tmp_path}&{expired}") == 3
    assert status("sequences+sqlite:x.db?create=nonsense&tag=a") == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_the_command_says_where_it_cannot_write() -> None:
    command = [sys.executable, "-I", "-m", "snowmint", "id", "uuid:"]
    with open("/dev/full", "w") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert ended.stderr.startswith("error: cannot write to standard output: No space"), ended


def test_the_command_mints_nothing_that_nobody_has() -> None:
    line = f"{sys.executable} -I -m snowmint id uuid: >&-"
    ended = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert (ended.returncode, "it is closed" in ended.stderr) == (1, True), ended


def test_the_command_decodes_what_is_no_date() -> None:
    words = ["decode", str(2**62 - 1), "--layout", "time:62"]
    ended = subprocess.run([sys.executable, "-I", "-m", "snowmint", *words], capture_output=True)
    assert (ended.returncode, b"4611686018427387903 ms" in ended.stdout) == (0, True), ended


def test_the_command_refuses_what_is_no_unicode() -> None:
    for words in (["decode", b"\xff"], ["id", b"snowflake:?layout=\xff"]):
        ended = subprocess.run([sys.executable, "-I", "-m", "snowmint", *words], capture_output=True)
        assert ended.returncode == 2 and ended.stderr.startswith(b"error["), ended


def test_the_command_ends_quietly_where_nobody_reads_on() -> None:
    command = [sys.executable, "-I", "-m", "snowmint", "id", "uuid:", "-n", "200000"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        assert len(process.stdout.readline()) == 37
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_the_command_ends_by_ctrl_c_without_a_traceback() -> None:
    command = [sys.executable, "-I", "-m", "snowmint", "id", "uuid:", "-n", "1000000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert len(process.stdout.readline()) == 37
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, b"")


def test_the_command_prints_what_was_left_before_the_error(tmp_path: Path) -> None:
    file = f"sqlite:{tmp_path}/ids.db"
    with snowmint.Store.open(f"{file}?create=true") as store:
        store.create_tag("orders", max=5000)
        store.create_tag("days")
    assert ended("-n", "4995", f"segment+{file}?tag=orders&step=4995&prefetch=100").returncode == 0
    few = ended("-n", "10", f"segment+{file}?tag=orders")
    assert few.stdout.split() == [str(n) for n in range(4996, 5001)], few
    assert (few.returncode, few.stderr.partition(":")[0]) == (3, "error[tag_exhausted]")
    day = ended("-n", "12", f"daily+{file}?tag=days&digits=1&step=9")
    assert [line[-1] for line in day.stdout.split()] == list("123456789"), day
    assert (day.returncode, day.stderr.partition(":")[0]) == (3, "error[tag_exhausted]")


def test_the_command_says_what_would_be_right() -> None:
    for words, said in (
        (("ids.db",), "'ids.db' is neither a command (id, decode, migrate) nor a source's URL"),
        (("segment", "create", "sqlite:ids.db", "orders"), "'segment' is neither a command"),
        (("-n", "1e3", "uuid:"), "snowmint id: error: argument -n/--count: a whole number from 1 on"),
        (("--formatt", "hex"), "unrecognized arguments: --formatt"),
        (("-x",), "unrecognized arguments: -x"),
        (("decode", "--format", "hax", "1"), "there are dec, hex, base32"),
        (("decode", "--format", "hex", "x!"), "error[text_length]: x!: no hex number"),
    ):
        wrong = ended(*words)
        assert wrong.returncode == 2 and said in wrong.stderr, wrong


def test_the_command_says_how_a_program_makes_a_tag(tmp_path: Path) -> None:
    file = f"sqlite:{tmp_path}/ids.db"
    snowmint.Store.open(f"{file}?create=true").close()
    missing = ended(f"segment+{file}?tag=orders").stderr
    assert missing.startswith("error[unknown_tag]: ") and "hint: `segment create` is the binary's" in missing
    code = missing.partition("makes a tag: ")[2].replace("sqlite:ids.db", file)
    eval(code, {"snowmint": snowmint})
    assert ended("-n", "2", f"segment+{file}?tag=orders").stdout == "1\n2\n"


def test_the_command_makes_the_tables_of_a_store(tmp_path: Path) -> None:
    file = f"sqlite:{tmp_path}/ids.db"

    def ran(*options: str) -> str:
        done = ended("migrate", file, *options)
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout

    planned = ran("--dry-run")
    assert planned.startswith("-- SQLite ") and planned.endswith(";\n\nCOMMIT;\n"), planned
    assert json.loads(ran("--dry-run", "--json"))["state"] == "missing"
    assert not (tmp_path / "ids.db").exists()
    assert "ids.db: the tables are made; pin it by key_space=" in ran()
    assert "ids.db: the tables are there, as they should be; pin it by key_space=" in ran()
    there = json.loads(ran("--json"))
    assert there | {"place": "", "key_space": ""} == {
        "place": "",
        "state": "there",
        "key_space": "",
        "statements": [],
    }
    assert f"key_space={there['key_space']}\n" in ran()
    snowmint.Store.open(file).close()
    for words, status, said in (
        (("memory:",), 2, "error[unsupported]: "),
        (("postgres://ann@127.0.0.1:1/ids",), 4, "error[store_unavailable]: "),
        ((), 2, "the following arguments are required: URL"),
    ):
        wrong = ended("migrate", *words)
        assert (wrong.returncode, wrong.stdout) == (status, "") and said in wrong.stderr, wrong


def test_the_command_reads_a_form_that_looks_like_others() -> None:
    text = snowmint.format(1541815603606036480, "base36")
    assert ended("decode", text).returncode == 2
    assert ended("decode", "--format", "base36", text).stdout.startswith("1541815603606036480 may be")
    helped = ended("id", "--help").stdout
    for form in snowmint.text_forms():
        assert form.name in helped
