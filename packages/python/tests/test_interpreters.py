"""One interpreter of a process has snowmint: the main one."""

from __future__ import annotations

import subprocess
import sys

SUBINTERPRETER = """
import importlib, sys
if sys.version_info >= (3, 13):
    interpreters = importlib.import_module("_interpreters")
    legacy, run = interpreters.create("legacy"), interpreters.exec
else:
    interpreters = importlib.import_module("_xxsubinterpreters")
    legacy, run = interpreters.create(isolated=False), interpreters.run_string
{first}
run(legacy, '''
try:
    import snowmint
except ImportError as error:
    assert "subinterpreter" in str(error), error
else:
    raise AssertionError("imported")
''')
import snowmint
assert snowmint.Segment("orders", allocate=lambda tag, count: (1, 1 + count)).next_id() == 1
try:
    snowmint.Layout("nonsense")
except snowmint.LayoutError:
    pass
"""


def run(script: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_legacy_subinterpreter_is_refused() -> None:
    """They share the lock and would share the classes: mod_wsgi's kind."""
    run(SUBINTERPRETER.format(first=""))
    run(SUBINTERPRETER.format(first="import snowmint"))
