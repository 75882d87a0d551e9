"""The README's lines run as they stand."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import snowmint

README = Path(__file__).parents[1] / "README.md"


def blocks() -> list[str]:
    """With a new file, in the working directory, in the place of the one that they name."""
    text = README.read_text(encoding="utf-8").replace("/var/lib/shop/ids.db", "ids.db?create=true")
    return re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)


def test_the_five_lines(tmp_path: Path) -> None:
    five = blocks()[0]
    assert len(five.splitlines()) == 5
    for _ in range(2):
        ended = subprocess.run(
            [sys.executable, "-"],
            input=five,
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
        )
        assert re.fullmatch(
            r"[0-9]+ was minted by worker [0-9]+ at [0-9-]+ [0-9:.]+\+00:00\n", ended.stdout
        )


def test_the_other_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but those that need somebody's model, database or pytest, which other tests have; twice."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    theirs = r"mapped_column|models\.|frame\[|connect\(\)|Annotated|BaseModel|ModelSerializer|pytest"
    own = [block for block in blocks() if not re.search(theirs, block)]
    assert len(blocks()) - len(own) == 11
    names: dict[str, Any] = {}
    for _ in range(2):
        # Ends the sources of the first time, as the end of their process would.
        names.clear()
        gc.collect()
        # Django's settings have a BASE_DIR.
        names.update(snowmint=snowmint, BASE_DIR=tmp_path)
        for block in own:
            exec(compile(block, str(README), "exec"), names)
    assert len(set(names["ids"])) == 100
    assert names["order_id"](names["token"]) == 1541815603606036480
    assert "20260821" in README.read_text(encoding="utf-8") and os.path.exists("ids.db")


def test_comments_of_the_readme_are_true() -> None:
    assert snowmint.format(1541815603606036480, "base32") == "1ASD13XH1F800"
    assert snowmint.Layout.TWITTER.decode(1541815603606036480).worker_id == 378
