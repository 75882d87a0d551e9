"""The lines of a report, and the three ways to print them: as tests/bench prints Rust's."""

from __future__ import annotations

import json
from dataclasses import dataclass

HEADS = ["measured", "figure", "ratio", "of", "target", ""]


@dataclass
class Line:
    """One figure, what it is compared with, and what it should be."""

    group: str
    what: str
    value: float
    unit: str
    of: str = ""
    ratio: float | None = None
    at_most: float | None = None
    at_least: float | None = None

    def is_met(self) -> bool | None:
        """Returns true if the target is met; ``None`` without one."""
        judged = self.value if self.ratio is None else self.ratio
        if self.at_most is not None:
            return judged <= self.at_most
        return None if self.at_least is None else judged >= self.at_least

    def cells(self) -> list[str]:
        unit = self.unit if self.ratio is None else "×"
        target = ""
        if self.at_most is not None:
            target = f"≤ {figure(self.at_most)} {unit}"
        if self.at_least is not None:
            target = f"≥ {figure(self.at_least)} {unit}"
        verdict = {True: "ok", False: "MISSED", None: ""}[self.is_met()]
        ratio = "" if self.ratio is None else f"{self.ratio:.2f} ×"
        return [self.what, f"{figure(self.value)} {self.unit}", ratio, self.of, target, verdict]


def figure(value: float) -> str:
    """Three digits or so."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 or value == int(value) else f"{value:.2f}"


def plain(lines: list[Line]) -> str:
    """A table for a terminal, one part a group."""
    rows = [line.cells() for line in lines]
    widths = [max(len(cell) for cell in column) for column in zip(HEADS, *rows)]
    text, group = "", ""
    for line, row in zip(lines, rows):
        if line.group != group:
            group = line.group
            text += f"\n{group}\n"
        cells = [
            cell.rjust(width) if column in (1, 2) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ]
        text += "  " + "  ".join(cells).rstrip() + "\n"
    return text


def markdown(lines: list[Line]) -> str:
    """A table for the README."""
    text = f"| {' | '.join(HEADS)} |\n|---|--:|--:|---|---|---|\n"
    return text + "".join(f"| {' | '.join(line.cells())} |\n" for line in lines)


def as_json(lines: list[Line]) -> str:
    """One JSON object a line."""
    objects = (
        {
            "group": line.group,
            "measured": line.what,
            "value": line.value,
            "unit": line.unit,
            "of": line.of or None,
            "ratio": line.ratio,
            "at_most": line.at_most,
            "at_least": line.at_least,
            "ok": line.is_met(),
        }
        for line in lines
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in objects)
