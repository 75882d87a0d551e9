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

EXAMPLES = Path(__file__).parents[3] / "examples/python"
PROGRAMS = sorted(EXAMPLES.glob("*.py"))
APPLICATIONS = sorted(EXAMPLES.glob("*/commands.sh"))
INSTALL = re.compile(r"^python -m pip install (.*)$", re.M)
SERVE = re.compile(r"^(?:uvicorn|gunicorn) .*$", re.M)


def environment(directory: Path) -> dict[str, str]:
    """Finds the commands beside this Python, and keeps a user's own files out of the way."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "XDG_STATE_HOME": str(directory)}


def run(command: list[str], directory: Path) -> str:
    ended = subprocess.run(
        command, cwd=directory, env=environment(directory), capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_program_runs_twice(program: Path, tmp_path: Path) -> None:
    text = program.read_text(encoding="utf-8").replace("/var/lib/shop", str(tmp_path))
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
    script = SERVE.sub("", INSTALL.sub("", lines))
    printed = run(["bash", "-euc", f"{script}\nenv -0 >environment"], application)
    assert "passed" in printed
    variables = (application / "environment").read_bytes().split(b"\0")
    exported = dict(each.decode().split("=", 1) for each in variables if each)
    for server in SERVE.findall(lines):
        answers(server, application, exported)


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
