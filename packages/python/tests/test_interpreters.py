"""One interpreter of a process has snowmint: the main one."""

from __future__ import annotations

import subprocess
import sys

SUBINTERPRETER = """
import importlib, sys
if sys.version_info >= (3, 13):
    interpreters = importlib.import_module("_interpreters")
    create, run = interpreters.create, interpreters.exec
    legacy, own = create("legacy"), create("isolated")
else:
    interpreters = importlib.import_module("_xxsubinterpreters")
    create, run = interpreters.create, interpreters.run_string
    legacy, own = create(isolated=False), create(isolated=True)
{first}
for interpreter in (legacy, own):
    failure = run(interpreter, '''
try:
    import snowmint
except ImportError as error:
    assert "import it there (mod_wsgi: " in str(error), error
else:
    raise AssertionError("imported")
''')
    assert failure is None, failure
    interpreters.destroy(interpreter)
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


def test_subinterpreters_are_refused() -> None:
    """Legacy ones share the lock and would share the classes, mod_wsgi's kind; the others have a lock
    of their own."""
    run(SUBINTERPRETER.format(first=""))
    run(SUBINTERPRETER.format(first="import snowmint"))
