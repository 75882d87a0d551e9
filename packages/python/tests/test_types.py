"""The stubs say what the module is, and a type checker understands them."""

import subprocess
import sys
from pathlib import Path

import docstrings
import snowmint


def run(*arguments: str) -> None:
    ended = subprocess.run([sys.executable, *arguments], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_stubs_are_those_of_the_module(tmp_path: Path) -> None:
    # It compares the members of Annotated itself with those of the annotated int.
    allowed = tmp_path / "allowed"
    allowed.write_text("snowmint\\.pydantic\\.(Unsigned)?Id(\\..*)?\n")
    run("-m", "mypy.stubtest", "snowmint", "--allowlist", str(allowed))


def test_the_package_passes_the_checker() -> None:
    run("-m", "mypy", "--strict", "-p", "snowmint")


def test_an_example_passes_the_checker_and_runs() -> None:
    example = str(Path(__file__).with_name("typed_example.py"))
    run("-m", "mypy", "--strict", example)
    run(example)


def test_the_package_is_marked_as_typed() -> None:
    assert (Path(snowmint.__file__).parent / "py.typed").exists()


def test_the_stub_has_the_docstrings_of_the_module() -> None:
    """Else `python packages/python/tests/docstrings.py` writes them."""
    stub = docstrings.STUB.read_text(encoding="utf-8")
    assert stub == docstrings.documented(stub)
    installed = Path(snowmint.__file__).with_name("_native.pyi")
    assert installed.read_text(encoding="utf-8") == stub
