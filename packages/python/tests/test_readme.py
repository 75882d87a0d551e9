"""The README's lines run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def blocks() -> list[str]:
    """With a new file, in the working directory, in the place of the one that they name."""
    text = README.read_text(encoding="utf-8").replace("/var/lib/shop/ids.db", "ids.db?create=true")
    return re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)


def test_the_five_lines(tmp_path: Path) -> None:
    five = blocks()[0]
    assert len(five.splitlines()) == 5
    for _ in range(2):
        printed = run(five, tmp_path)
        assert re.fullmatch(r"[0-9]+ was minted by worker [0-9]+ at [0-9-]+ [0-9:.]+\+00:00\n", printed)


def test_all_lines(tmp_path: Path) -> None:
    lines = "".join(blocks()) + "\nassert len(set(ids)) == 100\n"
    for first in ("1", "1001"):
        assert run(lines, tmp_path).splitlines()[-1] == first


def run(program: str, directory: Path) -> str:
    command = [sys.executable, "-"]
    return subprocess.run(
        command, input=program, cwd=directory, check=True, capture_output=True, text=True
    ).stdout
