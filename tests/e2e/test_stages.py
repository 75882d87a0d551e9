"""scripts/test: in a tree whose stages do next to nothing, how it runs, counts and ends them."""

import os
import re
import select
import shutil
import signal
import subprocess
from contextlib import contextmanager

from driver import HANG_S, REPOSITORY
from services import eventually

NOTED = '#!/bin/sh\necho "${0##*/}" >>ran\necho target/debug\n'


def tree(directory, **stages):
    """Stages that note that they ran, some of which do more."""
    scripts, python = directory / "scripts", directory / "target/venv/bin/python"
    scripts.mkdir()
    python.parent.mkdir(parents=True)
    for place in [*(scripts / path.name for path in REPOSITORY.glob("scripts/*")), python]:
        place.write_text(NOTED + stages.get(place.name.replace("-", "_"), ""))
        place.chmod(0o700)
    shutil.copy(REPOSITORY / "scripts/test", scripts)


@contextmanager
def running(directory, *words):
    """The script, and a pipe that ends with all that it has started."""
    ends, held = os.pipe()
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(
        [directory / "scripts/test", *words], cwd=directory, text=True, pass_fds=[held], **pipes
    )
    os.close(held)
    try:
        yield process, ends
    finally:
        process.kill()
        process.wait(HANG_S)
        os.close(ends)


def ran(directory):
    return (directory / "ran").read_text().split()


def test_a_stage_begins_once_what_it_needs_has_ended(tmp_path):
    tree(tmp_path)
    with running(tmp_path) as (process, _):
        output, _ = process.communicate(timeout=HANG_S)
    assert process.returncode == 0, output
    names = ran(tmp_path)
    assert names[0] == "setup" and "fuzz" not in names
    assert max(map(names.index, ("build", "servers"))) < names.index("test-java") < names.index("test-cluster")
    assert output.endswith("\n0 passed, 0 failed\n")


def test_the_last_line_sums_what_every_runner_counts(tmp_path):
    pytest = 'echo "===== 5 passed, 1 skipped in 1.5s ====="'
    tree(
        tmp_path,
        cargo_test="echo 'test result: ok. 100 passed; 0 failed; 2 ignored; 0 measured'",
        test_node="printf 'ℹ pass 20\\nℹ fail 1\\nℹ skipped 3\\n'; exit 1",
        test_java="echo '[INFO] Tests run: 1000, Failures: 1, Errors: 1, Skipped: 4'; exit 1",
        test_c="echo 'C: 7 passed, 0 failed'",
        test_python=pytest,
        check_fmt="exit 1",
    )
    with running(tmp_path, "cargo-test", "node", "java", "c", "python", "check-fmt") as (process, _):
        output, _ = process.communicate(timeout=HANG_S)
    assert process.returncode == 1
    assert output.endswith(f"\n{100 + 20 + 994 + 7 + 5} passed, {1 + 2 + 1} failed\n"), output
    assert re.search(r"node +FAILED .* 20 passed, 1 failed, 3 skipped", output)


def test_no_stage_begins_once_another_has_failed(tmp_path):
    tree(tmp_path, build="exit 1")
    with running(tmp_path, "--fail-fast") as (process, _):
        assert process.wait(HANG_S) == 1
    assert "build" in ran(tmp_path) and "test-java" not in ran(tmp_path)


def test_a_check_without_a_stage_is_refused(tmp_path):
    tree(tmp_path)
    (tmp_path / "scripts/check-nothing").touch()
    with running(tmp_path) as (process, _):
        output, _ = process.communicate(timeout=HANG_S)
    assert process.returncode == 1 and "check-nothing is in no stage" in output


def test_a_signal_ends_what_runs(tmp_path):
    tree(tmp_path, build="touch waits; exec sleep 1000", check_tidy="exec sleep 1000")
    for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
        (tmp_path / "waits").unlink(missing_ok=True)
        with running(tmp_path) as (process, ends):
            eventually((tmp_path / "waits").exists)
            process.send_signal(number)
            assert process.wait(HANG_S) == status
            assert select.select([ends], [], [], HANG_S)[0], "something goes on"
            assert os.read(ends, 1) == b""
