"""scripts/test: what its stages have to do with each other, in a tree of stages that do next to nothing."""

import os
import select
import shutil
import signal
import subprocess
from contextlib import contextmanager

from driver import HANG_S, REPOSITORY
from services import eventually

STAGES = """check-instructions check-models check-tidy holds-no-paths mutants release-flags servers setup
simulate test-browser test-c test-cluster test-explorer test-java test-node test-page test-python"""
NOTED = '#!/bin/sh\necho "${0##*/}" >>ran\n'


def tree(directory, **stages):
    """Stages that note that they ran, some of which do more."""
    scripts, python = directory / "scripts", directory / "target/venv/bin/python"
    scripts.mkdir()
    python.parent.mkdir(parents=True)
    shutil.copy(REPOSITORY / "scripts/test", scripts)
    for place in [scripts / name for name in STAGES.split()] + [directory / "cargo", python]:
        place.write_text(NOTED + stages.get(place.name.replace("-", "_"), ""))
        place.chmod(0o700)


@contextmanager
def running(directory, *words):
    """The script, and a pipe that ends with all that it has started."""
    ends, held = os.pipe()
    environment = {**os.environ, "PATH": f"{directory}:{os.environ['PATH']}"}
    command, quiet = [directory / "scripts/test", *words], subprocess.DEVNULL
    process = subprocess.Popen(
        command,
        cwd=directory,
        env=environment,
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
        pass_fds=[held],
        # A shell cannot trap a signal that it began to ignore, as in the background of another one.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(held)
    try:
        yield process, ends
    finally:
        process.kill()
        process.wait(HANG_S)
        os.close(ends)


def test_no_stage_begins_once_another_has_failed(tmp_path):
    """Beside the last of those that nothing waits for."""
    late = 'until grep -q "^page " target/test-logs/results; do sleep 0.01; done; exit 1'
    tree(tmp_path, test_java=late)
    with running(tmp_path, "--fail-fast") as (process, _):
        assert process.wait(HANG_S) == 1
    ran = (tmp_path / "ran").read_text().split()
    assert "test-page" in ran and "test-cluster" not in ran, ran
    for place in ("ran", "scripts/test-java"):
        (tmp_path / place).unlink()
    (tmp_path / "scripts/test-java").symlink_to("test-c")
    with running(tmp_path, "--fail-fast") as (process, _):
        assert process.wait(HANG_S) == 0
    assert "test-cluster" in (tmp_path / "ran").read_text().split()


def test_a_signal_ends_what_runs(tmp_path):
    tree(tmp_path, check_tidy="touch waits; exec sleep 1000", mutants="exec sleep 1000")
    for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
        (tmp_path / "waits").unlink(missing_ok=True)
        with running(tmp_path) as (process, ends):
            eventually((tmp_path / "waits").exists)
            process.send_signal(number)
            assert process.wait(HANG_S) == status
            assert select.select([ends], [], [], HANG_S)[0], "something goes on"
            assert os.read(ends, 1) == b""
