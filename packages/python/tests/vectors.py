"""The shared test vectors, read as tests/vectors/README.md says."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Callable

import snowmint
from snowmint import engine


def directory() -> Path:
    """Returns the folder of the vectors: in the repository, also when the tests run elsewhere."""
    named = os.environ.get("SNOWMINT_VECTORS")
    return Path(named) if named else Path(__file__).parents[3] / "tests" / "vectors"


def document(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((directory() / name).read_text(encoding="utf-8"))
    return loaded


def known(case: dict[str, Any], keys: str) -> dict[str, Any]:
    """The case, which has no other keys than these."""
    unknown = case.keys() - set(keys.split())
    assert not unknown, f"unknown keys {unknown} in {case}"
    return case


def wide(text: str) -> int:
    """A 64-bit integer, written as a string in its one decimal spelling."""
    number = int(text)
    assert str(number) == text
    return number


def narrow(number: int) -> int:
    """A number of at most 32 bits."""
    assert type(number) is int and 0 <= number < 2**32
    return number


def build(case: dict[str, Any]) -> snowmint.Layout:
    """A layout of fields, epoch and tick."""
    return snowmint.Layout(
        case["fields"], epoch=wide(case["epoch_ms"]), tick_ms=narrow(case["tick_ms"])
    )


def layout(case: dict[str, Any]) -> snowmint.Layout:
    """A preset's layout, or one of fields, epoch and tick."""
    known(case, "preset fields epoch_ms tick_ms")
    return snowmint.Layout.named(case["preset"]) if "preset" in case else build(case)


def judge(case: dict[str, Any], call: Callable[[], object], expected: Callable[[], object]) -> None:
    """Checks that a call gives what is expected, or fails with the code that is named."""
    try:
        result = call()
    except snowmint.SnowmintError as error:
        assert error.code == case.get("error"), f"{error!r} in {case}"
    else:
        assert "error" not in case, f"{result} in {case}"
        assert result == expected(), case


def start(case: dict[str, Any]) -> engine.SequenceStart:
    known(case, "kind max_offset below seed")
    match case["kind"]:
        case "zero":
            return engine.SequenceStart.zero()
        case "vibrate":
            return engine.SequenceStart.vibrate(narrow(case["max_offset"]))
        case "random":
            seed = wide(case["seed"])
            return engine.SequenceStart.random(below=narrow(case["below"]), seed=seed)
        case "rotate":
            return engine.SequenceStart.rotate()
        case other:
            raise AssertionError(other)


def policy(case: dict[str, Any]) -> engine.ClockPolicy:
    known(case, "name max_ahead_ms when_behind when_full")
    return engine.ClockPolicy(
        max_ahead_ms=narrow(case["max_ahead_ms"]),
        when_behind=case["when_behind"],
        when_full=case["when_full"],
    )
