"""The examples of the documentation's pages run: programs by themselves, and applications by the
lines for a shell that their pages show."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples/python"
PROGRAMS = sorted(EXAMPLES.glob("*.py"))
APPLICATIONS = sorted(EXAMPLES.glob("*/commands.sh"))
INSTALL = re.compile(r"^python -m pip install (.*)$", re.M)
SERVE = re.compile(r"^(?:uvicorn|gunicorn|sh deploy\.sh).*$", re.M)
WORKER = re.compile(r"^celery .*$", re.M)


def environment(directory: Path) -> dict[str, str]:
    """Finds the commands beside this Python, and keeps a user's own files out of the way."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "XDG_STATE_HOME": str(directory)}


def run(command: list[str], directory: Path) -> str:
    ended = subprocess.run(
        command, cwd=directory, env=environment(directory), capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_program_runs_twice(program: Path, tmp_path: Path) -> None:
    text = re.sub("/var/lib/shop|/tmp(?=/)", str(tmp_path), program.read_text(encoding="utf-8"))
    (tmp_path / program.name).write_text(text, encoding="utf-8")
    for _ in range(2):
        run([sys.executable, program.name], tmp_path)


@pytest.mark.parametrize("commands", APPLICATIONS, ids=lambda commands: commands.parent.name)
def test_an_application_is_built_tested_and_served(commands: Path, tmp_path: Path) -> None:
    application = tmp_path / "application"
    shutil.copytree(commands.parent, application, ignore=shutil.ignore_patterns("__pycache__"))
    lines = commands.read_text(encoding="utf-8")
    for packages in INSTALL.findall(lines):
        for package in re.findall(r"[\w-]+(?=\[|'|\s|$)", re.sub(r"\[[^]]*\]", "", packages)):
            version(package)
    script = WORKER.sub("", SERVE.sub("", INSTALL.sub("", lines)))
    printed = run(["bash", "-euc", f"{script}\nenv -0 >environment"], application)
    assert re.search(r"\d passed in|^Ran \d+ tests", printed, re.M), printed
    variables = (application / "environment").read_bytes().split(b"\0")
    exported = dict(each.decode().split("=", 1) for each in variables if each)
    for server in SERVE.findall(lines):
        answers(server, application, exported)
    for worker in WORKER.findall(lines):
        is_ready(worker, application, exported)


def answers(server: str, directory: Path, exported: dict[str, str]) -> None:
    """Starts a server on a free port, until it has answered."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    ports = {"PORT": port, "UVICORN_PORT": port}
    process = subprocess.Popen(["bash", "-c", f"exec {server}"], cwd=directory, env={**exported, **ports})
    try:
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/orders") as answer:
                    assert answer.status == 200
                return
            except urllib.error.URLError as error:
                assert process.poll() is None and not isinstance(error, urllib.error.HTTPError)
                time.sleep(0.05)
    finally:
        process.terminate()
        process.wait()


def is_ready(worker: str, directory: Path, exported: dict[str, str]) -> None:
    """Starts a worker, until it waits for tasks."""
    command = ["bash", "-c", f"exec {worker} 2>&1"]
    process = subprocess.Popen(command, cwd=directory, env=exported, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert any("ready." in line for line in process.stdout)
    finally:
        process.terminate()
        process.communicate()


def test_the_page_names_the_codes_to_retry() -> None:
    reference, page = (
        (ROOT / "docs" / name).read_text(encoding="utf-8")
        for name in ("reference/errors.md", "languages/python.md")
    )
    sections = [section for section in reference.split("\n### ") if "**Retry.** Yes." in section]
    numbers = {section.split("\n")[0]: section.split("(number ")[1][:3] for section in sections}
    for class_name, hundred in (("StallError", "2"), ("WorkerError", "5"), ("StoreError", "69")):
        row = next(line for line in page.split("\n") if line.startswith(f"| `{class_name}`"))
        named = set(re.findall("`([a-z_]+)`", row.split("|")[4]))
        codes = {code for code, number in numbers.items() if number[0] in hundred}
        assert named == codes or row.endswith("| all |")
        for code in codes:
            del numbers[code]
    assert numbers == {}
