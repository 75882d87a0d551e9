"""A terminal with a command in it: what stands on its screen, and keys."""

import fcntl
import os
import pty
import signal
import struct
import termios
import threading

import pyte
from services import eventually

KEYS = {"down": b"\x1b[B", "up": b"\x1b[A", "end": b"\x1b[F", "home": b"\x1b[H"}
KEYS |= {"enter": b"\r", "escape": b"\x1b", "tab": b"\t", "page down": b"\x1b[6~"}


class Terminal:
    """A terminal of so many columns and lines; the command is killed with the block if it has not ended."""

    def __init__(self, command, environment, directory, columns=160, lines=30):
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.written, self.guard = bytearray(), threading.Lock()
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(directory)
            os.execve(command[0], [str(part) for part in command], environment)
        self._size(columns, lines)
        self.status = None
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        while True:
            try:
                some = os.read(self.file, 1 << 16)
            except OSError:  # its other end is closed
                return
            with self.guard:
                self.written += some
                self.stream.feed(some)

    def _size(self, columns, lines):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns, lines):
        with self.guard:
            self.screen.resize(lines, columns)
        self._size(columns, lines)

    @property
    def lines(self):
        with self.guard:
            return [line.rstrip() for line in self.screen.display]

    def press(self, *keys):
        for key in keys:
            os.write(self.file, KEYS.get(key) or key.encode())

    def until(self, holds):
        """Waits until something holds of the lines on the screen."""
        try:
            eventually(lambda: holds(self.lines))
        except AssertionError:
            raise AssertionError("\n".join(self.lines)) from None
        return self.lines

    def shows(self, *words):
        """Waits until a line has all of these words; that line."""
        found = lambda lines: [line for line in lines if all(word in line for word in words)]
        return found(self.until(found))[0]

    def signal(self, which):
        os.kill(self.pid, which)

    def ended(self):
        """Its exit status, once it has ended, and all that it wrote is read."""
        if self.status is None:
            _, status = os.waitpid(self.pid, 0)
            self.status = os.waitstatus_to_exitcode(status)
            self.reader.join()
        return self.status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            self.signal(signal.SIGKILL)
            self.ended()
        os.close(self.file)
