"""What the tests share: a store, a generator, and a check that the installed package is tested."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import snowmint


def pytest_report_header() -> str:
    return f"snowmint {snowmint.version} in {Path(snowmint.__file__).parent}"


@pytest.fixture(scope="session", autouse=True)
def installed() -> None:
    """The package under test is the installed one, not the source tree."""
    assert Path(snowmint.__file__).is_relative_to(sys.prefix)


@pytest.fixture
def store(tmp_path: Path) -> snowmint.SqliteStore:
    store = snowmint.SqliteStore(tmp_path / "ids.db", create=True)
    store.create_tag("orders")
    return store


@pytest.fixture
def flake(tmp_path: Path) -> Iterator[snowmint.Snowflake]:
    with snowmint.Snowflake(worker=7, state_directory=tmp_path / "state") as flake:
        yield flake
