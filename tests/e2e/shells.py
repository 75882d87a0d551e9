"""A shell that runs the lines of a page one after the other, and the sections of files that pages
show."""

import os
import random
import re
import signal
import subprocess

from driver import HANG_S


def section(file, name):
    """Returns the lines of a file between `--8<-- [start:NAME]` and `[end:NAME]`."""
    text = file.read_text(encoding="utf-8")
    return re.search(rf"\[start:{name}\]\n(.*?)\n[^\n]*\[end:{name}\]", text, re.DOTALL)[1]


def typed(file):
    """Yields each line that a user types, with the status with which it ends and the words that it
    prints. These stand behind ` # `. A line `# test: exits 2: words` before a section names both for the
    next command, whose comment is then the reader's alone."""
    note = None
    for line in file.read_text(encoding="utf-8").replace("\\\n", "").splitlines():
        command, _, comment = line.partition(" # ")
        if line.startswith("# test: "):
            note = line.removeprefix("# test: ")
        elif command.strip() and not command.startswith("#"):
            status = re.match(r"exits (\d)(?:: )?", note or "")
            words = comment if note is None else note[status.end() :] if status else note
            yield command, int(status[1]) if status else 0, words.strip()
            note = None


def filled(command, said):
    """Puts values in for the letters of a line: steps for N, and for ID the server that `said` names, the
    output of the line before."""
    server = re.findall(r"--server (\S+) --yes", said)
    command = command.replace("-by-steps N ", "-by-steps 6000 ")
    return command.replace("--server ID", f"--server {server[-1]}") if server else command


def network():
    """Returns the first three bytes of addresses of loopback that nobody else uses."""
    chance = random.SystemRandom()
    return f"127.{chance.randrange(1, 255)}.{chance.randrange(1, 255)}."


class Shell:
    """One bash, which ends with all that it started."""

    def __init__(self, snowmint, environment=None):
        environment = {**snowmint.environment, **(environment or {})}
        # A program that starts in the background takes a moment to listen.
        home = snowmint.directory / "home"
        home.mkdir(exist_ok=True)
        (home / ".curlrc").write_text("retry = 9\nretry-delay = 1\nretry-connrefused\n")
        self.process = subprocess.Popen(
            ["bash", "-eu", "-o", "pipefail"],
            cwd=snowmint.directory,
            env={**environment, "PATH": f"{environment['PATH']}:/usr/sbin"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        # Programs that it started may hold its output when it has failed.
        self.process.stdin.write("trap 'echo failed' EXIT\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(HANG_S)
        self.process.stdin.close()
        self.process.stdout.close()

    def run(self, lines):
        """Runs lines, all of which must succeed, and returns what they print."""
        self.process.stdin.write(f"{lines}\necho; echo done\n")
        self.process.stdin.flush()
        said = []
        while (line := self.process.stdout.readline()) != "done\n":
            assert line and line != "failed\n", f"failed: {lines}\n{''.join(said)}"
            said.append(line)
        return "".join(said)
