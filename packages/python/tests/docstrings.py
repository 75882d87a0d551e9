"""Puts the docstrings of the native module into its stub, where editors look for them.

``python packages/python/tests/docstrings.py`` does, with the package installed from this tree.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from pathlib import Path

from snowmint import _native

STUB = Path(__file__).parents[1] / "src/snowmint/_native.pyi"

Documented = (ast.ClassDef, ast.FunctionDef)


def documented(stub: str) -> str:
    """The stub with the docstrings that the module has now, in place of those that it had."""
    lines = stub.splitlines()
    module = ast.parse(stub)
    for node in reversed([node for node in module.body if isinstance(node, Documented)]):
        thing = getattr(_native, node.name, None)
        if thing is not None:
            if isinstance(node, ast.ClassDef):
                members = [member for member in node.body if isinstance(member, ast.FunctionDef)]
                for member in reversed(members):
                    if not member.name.startswith("_"):
                        write(lines, member, inspect.getdoc(getattr(thing, member.name)))
            write(lines, node, inspect.getdoc(thing))
    return "\n".join(lines) + "\n"


def write(lines: list[str], node: ast.ClassDef | ast.FunctionDef, text: str | None) -> None:
    """Writes a docstring. Later lines have theirs already."""
    assert text is not None, node.name
    first = node.body[0]
    assert first.end_lineno is not None
    quoted = textwrap.indent(quote(text), " " * (node.col_offset + 4)).splitlines()
    if ast.get_docstring(node) is not None:
        lines[first.lineno - 1 : first.end_lineno] = quoted
    elif isinstance(node, ast.FunctionDef):
        lines[first.lineno - 1] = lines[first.lineno - 1].removesuffix(" ...")
        lines[first.lineno : first.lineno] = quoted
    else:
        at = first.lineno - 1 - len(getattr(first, "decorator_list", []))
        lines[at:at] = quoted


def quote(text: str) -> str:
    quotes = 'r"""' if "\\" in text else '"""'
    if "\n" in text:
        text += "\n"
    return f'{quotes}{text}"""'


if __name__ == "__main__":
    STUB.write_text(documented(STUB.read_text(encoding="utf-8")), encoding="utf-8")
