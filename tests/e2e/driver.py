"""Drives the `snowmint` binary as a user would: runs it, streams from it, stops and kills it."""

import contextlib
import os
import random
import re
import select
import signal
import subprocess
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
# Nothing is judged by how long it takes: this only ends a test that hangs.
HANG_S = 120
# More IDs than any test reads: a stream ends when its reader or its process does.
ENDLESS = 1_000_000_000
# The exit statuses of errors: wrong input, no ID now, the store.
INPUT, NO_ID, STORE = 2, 3, 4

SHARED_MEMORY = ("/dev/shm/faketime_shm_{}", "/dev/shm/sem.faketime_sem_{}")


def rounds(default):
    """Returns the number of random rounds of a test: SNOWMINT_E2E_ROUNDS, or the default."""
    return int(os.environ.get("SNOWMINT_E2E_ROUNDS", default))


def seeded(name):
    """A random source that SNOWMINT_E2E_SEED repeats; its seed shows when a test fails."""
    seed = os.environ.get("SNOWMINT_E2E_SEED") or str(random.SystemRandom().randrange(1 << 32))
    print(f"{name}: SNOWMINT_E2E_SEED={seed}")
    return random.Random(f"{name}/{seed}")


def binary():
    """The command under test: the one in SNOWMINT, or that of `cargo build`."""
    path = Path(os.environ.get("SNOWMINT") or REPOSITORY / "target/debug/snowmint")
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(f"{path}: build it with `cargo build`, or set SNOWMINT")
    return path.resolve()


@contextlib.contextmanager
def server(name):
    """The URL of a database's server: of the one that all tests share, or of one for a while."""
    if url := os.environ.get(f"SNOWMINT_TEST_{name.upper()}"):
        yield url
        return
    command = [REPOSITORY / "scripts/servers", "run", name]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        yield process.stdout.readline().strip()
        process.stdin.close()


class Server:
    """A database's server of a test's own, which can be killed and started again."""

    def __init__(self, kind):
        self.kind = kind

    def __enter__(self):
        command = [REPOSITORY / "scripts/servers", "run", self.kind]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, **pipes)
        self.url = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def tell(self, what):
        """`end`, as a crash would, or `start`."""
        self.process.stdin.write(f"{what}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "ready\n"


class Done:
    """A process that has ended: its exit status and what it wrote."""

    def __init__(self, command, status, output, errors):
        self.command, self.status, self.output, self.errors = command, status, output, errors

    def __repr__(self):
        return f"{self.command} exited with {self.status}\n{self.output[:2000]}{self.errors}"

    @property
    def ids(self):
        """The whole lines that were printed, as numbers."""
        return numbers(self.output.encode())

    def must_succeed(self):
        assert self.status == 0, self
        return self

    def must_refuse(self, *statuses, saying=()):
        """Ended by an error of one of these kinds, with its code, a message and a hint, not by a
        crash."""
        assert self.status in (statuses or (INPUT, NO_ID, STORE)), self
        # Events during minting come before the error.
        assert re.match(r"(snowmint: (info|warning): .*\n)*error\[[a-z0-9_]+\]: ", self.errors), self
        assert "\nhint: " in self.errors, self
        assert "panicked" not in self.errors, self
        for words in [saying] if isinstance(saying, str) else saying:
            assert words in self.errors, (words, self)
        return self

    def must_be_typed(self):
        """Succeeded, or refused as an error should."""
        return self if self.status == 0 else self.must_refuse()


class Snowmint:
    """The command, with a state directory of its own, in a directory of its own."""

    def __init__(self, directory):
        self.binary = binary()
        self.directory = Path(directory)
        self.environment = {
            "HOME": str(self.directory / "home"),
            "LC_ALL": "C",
            "PATH": f"{self.binary.parent}:{os.environ.get('PATH', os.defpath)}",
            "XDG_STATE_HOME": str(self.directory / "state"),
        }

    @property
    def state(self):
        """The directory of the state files and of the default database."""
        return self.directory / "state/snowmint"

    def mark(self, worker):
        """The state file of a fixed worker ID."""
        return self.state / f"worker-{worker}.mark"

    def run(self, *arguments, before=(), clock=None, environment=None, input=None):
        """Runs `snowmint ARGUMENTS`; `before` is a command that runs it, strace for instance."""
        return self.command([*before, self.binary, *arguments], clock, environment, input)

    def shell(self, line, environment=None):
        """Runs a line as a shell would, `snowmint` being in the path."""
        return self.command(["bash", "-c", line], environment=environment)

    def command(self, command, clock=None, environment=None, input=None):
        command = [str(part) for part in command]
        process = subprocess.Popen(
            command,
            cwd=self.directory,
            env={**self.environment, **(environment or {}), **(clock.environment if clock else {})},
            stdin=subprocess.PIPE if input is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            output, errors = process.communicate(input, timeout=HANG_S)
        finally:
            process.kill()
            process.wait()
            forget_shared_memory(process.pid)
        return Done(command, process.returncode, output, errors)

    def mint(self, *arguments, clock=None):
        """IDs of a command that must succeed."""
        return self.run("id", *arguments, clock=clock).must_succeed().ids

    def stream(self, *arguments, count=ENDLESS, clock=None):
        """Starts a process that mints to a pipe for as long as somebody reads."""
        command = [self.binary, "id", *arguments, "-n", count]
        return self.stream_of(*command, environment=clock.environment if clock else {})

    def stream_of(self, *command, environment=None):
        """The same of another program."""
        command = [str(part) for part in command]
        return Stream(command, self.directory, {**self.environment, **(environment or {})})


class Stream:
    """A process that writes IDs to a pipe, which is read bit by bit."""

    def __init__(self, command, directory, environment):
        self.command = command
        self.text = bytearray()
        self.stderr = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command,
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        self.stderr.close()

    @property
    def ids(self):
        """The IDs read so far."""
        return numbers(self.text)

    @property
    def said(self):
        """All that it has written to standard error so far."""
        # From its beginning, without moving the place where the process writes.
        return os.pread(self.stderr.fileno(), 1 << 20, 0).decode()

    def read(self, count):
        """Reads until so many more IDs have come, or the process has ended; all IDs so far."""
        self.read_on(count)
        return self.ids

    def read_on(self, count):
        """The same without a look at them: false once the process has ended."""
        begun = len(self.text)
        while (lacks := self.text.count(b"\n", begun) < count) and self._read_some(HANG_S):
            pass
        return not lacks

    def read_until(self, happened, count):
        """Reads so many IDs again and again until something has happened, ten times a second at most:
        a store in memory would give more than there is room for."""
        while not happened():
            assert self.read_on(count) and self.process.poll() is None, self.said
            time.sleep(0.1)

    def read_for(self, seconds):
        """Reads what comes in a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._read_some(left)
            time.sleep(min(0.005, max(0, end - time.monotonic())))
        return self.ids

    def _read_some(self, seconds):
        """False at the end of the output; a hang is an error."""
        if self.process.stdout.closed:
            return False
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        if not ready:
            assert seconds < HANG_S, f"{self.command} hangs"
            return True
        some = os.read(self.process.stdout.fileno(), 1 << 16)
        self.text += some
        return bool(some)

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        """kill -9; what lies in the pipe is read, since it was issued."""
        self.process.kill()
        return self.finish()

    def finish(self):
        """Reads to the end."""
        while self._read_some(HANG_S):
            pass
        self.process.stdout.close()
        self.process.wait(HANG_S)
        forget_shared_memory(self.process.pid)
        if self.stderr.closed:
            return None
        self.stderr.seek(0)
        errors = self.stderr.read().decode()
        return Done(self.command, self.process.returncode, self.text.decode(), errors)


def numbers(text):
    """The numbers on whole lines: one that a kill cut off was given to nobody."""
    return list(map(int, text[: text.rfind(b"\n") + 1].split()))


def forget_shared_memory(pid):
    """libfaketime leaves some behind for each process that is killed."""
    for path in SHARED_MEMORY:
        Path(path.format(pid)).unlink(missing_ok=True)


def assert_rising(ids):
    """One process's IDs strictly increase (law L3)."""
    assert all(map(int.__lt__, ids, ids[1:])), first_fall(ids)


def first_fall(ids):
    return next(f"{b} after {a}" for a, b in zip(ids, ids[1:]) if a >= b)


def assert_disjoint(*processes):
    """No two IDs are the same, within a process and between them (law L1)."""
    everything = [one for ids in processes for one in ids]
    duplicates = len(everything) - len(set(everything))
    assert duplicates == 0, f"{duplicates} duplicates of {len(everything)} IDs"
    assert everything, "nothing was minted: nothing was tested"


def workers(ids):
    """The worker IDs, datacenter included, in IDs of Twitter's layout."""
    return {one >> 12 & 0x3FF for one in ids}
