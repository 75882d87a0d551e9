"""Clocks that lie: libfaketime gives one process another wall clock, and steps it while it runs."""

import os
import subprocess
from pathlib import Path

USUAL_PLACES = (
    "/usr/lib/*/faketime/libfaketimeMT.so.1",
    "/usr/lib*/faketime/libfaketimeMT.so.1",
    "/usr/local/lib/faketime/libfaketimeMT.so.1",
)


def library():
    """The library's path, or None if it is not installed."""
    try:
        listed = subprocess.run(
            ["dpkg", "-L", "libfaketime"], capture_output=True, text=True, check=False
        ).stdout.split()
    except FileNotFoundError:
        listed = []
    found = [path for path in listed if path.endswith("/libfaketimeMT.so.1")]
    for pattern in USUAL_PLACES:
        found += sorted(map(str, Path("/").glob(pattern.lstrip("/"))))
    return next(iter(found), None)


class Clock:
    """A wall clock some seconds off from the machine's. Boot time stays true, as it does where
    somebody sets the clock."""

    def __init__(self, path, library):
        self.path = Path(path)
        self.offset_s = 0.0
        self.environment = {
            "LD_PRELOAD": library,
            "FAKETIME_TIMESTAMP_FILE": str(self.path),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_RESET": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "TZ": "UTC",
        }
        self.set(0)

    def set(self, offset_s):
        """Steps the clock, for processes that run as well as for those to come."""
        self.offset_s = offset_s
        return self._write(f"{offset_s:+.3f}")

    def step(self, by_s):
        return self.set(self.offset_s + by_s)

    def freeze(self, moment):
        """Stops the clock at `YYYY-MM-DD hh:mm:ss`, UTC."""
        return self._write(moment)

    def _write(self, text):
        # Put in place whole: a process may read it at any moment.
        draft = self.path.with_suffix(".draft")
        draft.write_text(text + "\n")
        os.replace(draft, self.path)
        return self
