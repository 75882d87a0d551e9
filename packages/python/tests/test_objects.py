"""Pickling, docstrings, reprs: what Python's own tools see."""

from __future__ import annotations

import copy
import builtins
import inspect
import pickle
import pydoc
import subprocess
import sys
import traceback
from datetime import datetime, timezone
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any

import pytest

import snowmint
from snowmint import Layout, Parts, engine

PICKLED = [
    Layout.TWITTER,
    Layout("constant:2=1,time:41,worker:10,sequence:11", epoch=-5, tick_ms=10),
    Layout.BAIDU_DEFAULT,
    Parts(time=-1, worker_id=2**32 - 1, sequence=3, rollback=2),
    engine.Range(1, 10, 3),
]


@pytest.mark.parametrize("value", PICKLED, ids=repr)
def test_values_pickle_copy_and_compare(value: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and hash(again) == hash(value) and again is not value
    assert copy.deepcopy(value) == value
    assert value != Parts(time=7)


LEASE = snowmint.Lease(
    realm="r", worker_id=1, epoch=2, owner="o", token=bytes(range(16)), floor_ms=3, reserved_ms=4, now_ms=5
)


@pytest.mark.parametrize(
    "value", [LEASE, engine.Step(5), engine.Step(5, 9), *engine.ClockPolicy.all().values()], ids=repr
)
def test_values_pickle_and_copy_to_equal_ones(value: Any) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.copy(value) == value == copy.deepcopy(value)


def test_a_layout_is_all_that_its_text_says(tmp_path: Path) -> None:
    own = Layout("time:41,worker:10,sequence:12", epoch=1_700_000_000_000, tick_ms=10)
    assert str(own) == "zero:1,time:41,worker:10,sequence:12@1700000000000/10"
    assert own.text == "zero:1,time:41,worker:10,sequence:12"
    for layout in (own, *(preset.layout for preset in Layout.presets())):
        assert Layout.named(str(layout)) == layout
    with snowmint.Snowflake(worker_id=7, layout=str(own), state_directory=tmp_path) as flake:
        assert flake.layout == own


def test_errors_pickle() -> None:
    error = snowmint.StallError("later", "clock_behind", 200, 7)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.code) == (snowmint.StallError, "later", "clock_behind")
    assert (again.number, again.wait_ms) == (200, 7)


def test_errors_are_made_by_their_code_alone() -> None:
    for row in snowmint.error_codes():
        assert snowmint.SnowmintError("", row.name).number == row.number
    assert snowmint.StallError("later", "clock_behind", wait_ms=7).wait_ms == 7
    for wrong, said in (
        (("gone", "lease_losst"), "there is no error code 'lease_losst': snowmint.error_codes()"),
        (("gone", "lease_losst", 502), "there is no error code 'lease_losst'"),
        (("gone", "lease_lost", 1), "'lease_lost' has the number 502 and not 1: leave it out"),
        (("gone", "lease_lost", 501), "'lease_lost' has the number 502 and not 501"),
    ):
        with pytest.raises(ValueError, match=said):
            snowmint.WorkerError(*wrong)
    later = snowmint.SnowmintError("of a later version", "unheard_of", 999_999)
    assert pickle.loads(pickle.dumps(later)).code == "unheard_of"


def test_errors_are_named_as_they_are_imported() -> None:
    for error in (snowmint.SnowmintError, *snowmint.SnowmintError.__subclasses__()):
        assert error.__module__ == "snowmint"
        assert pickle.loads(pickle.dumps(error)) is error
    with pytest.raises(snowmint.StoreError) as raised:
        snowmint.SqliteStore("none.db")
    assert traceback.format_exception_only(raised.value)[0].startswith("snowmint.StoreError: ")


def test_parts_as_a_dict() -> None:
    parts = Layout.TWITTER.decode(1541815603606036480)
    time = datetime(2022, 6, 28, 16, 7, 40, 105000, timezone.utc)
    assert parts.asdict() == {"time": time, "worker_id": 378, "sequence": 0, "rollback": 0}
    for parts in (parts, Parts(time=-1, worker_id=2**32 - 1, sequence=3, rollback=2)):
        assert Parts(**parts.asdict()) == parts
    with pytest.raises(snowmint.ParameterError):
        Parts(time=2**60).asdict()


def test_a_generator_does_not_pickle(flake: snowmint.Snowflake, store: snowmint.Store) -> None:
    sources: list[Any] = [
        flake,
        store,
        snowmint.Segment("orders", store=store),
        snowmint.Daily("d", store=store),
        snowmint.Sequences("s", store=store),
        engine.Snowflake(Layout.TWITTER, worker_id=1),
        engine.SegmentBuffer(prefetch=10, step=5),
    ]
    for source in sources:
        with pytest.raises(TypeError, match="cannot be pickled: a copy would repeat"):
            pickle.dumps(source)
        with pytest.raises(TypeError):
            copy.copy(source)
        text = repr(source)
        assert type(source).__name__ in text and " at 0x" not in text, text
    again = pickle.loads(pickle.dumps(snowmint.UuidSource(4)))
    assert again.version == 4


def test_a_closed_source_says_what_it_is(flake: snowmint.Snowflake) -> None:
    flake.close()
    assert repr(flake) == "<snowmint.Snowflake of Layout.TWITTER>"
    assert repr(Parts(time=1, worker_id=2)) == (
        "snowmint.Parts(time=1, worker_id=2, sequence=0, rollback=0)"
    )


@pytest.mark.parametrize("module", [snowmint, engine], ids=lambda module: module.__name__)
def test_everything_public_has_a_docstring_that_renders(module: ModuleType) -> None:
    names: list[str] = module.__all__
    for name in names:
        thing = getattr(module, name)
        if isinstance(thing, (int, str, UnionType)):
            continue
        assert inspect.getdoc(thing), name
        assert name in pydoc.render_doc(thing)
        if isinstance(thing, type) and not issubclass(thing, Exception):
            assert thing.__module__ == module.__name__, name
            check_members(thing)


@pytest.mark.parametrize("module", [snowmint, engine], ids=lambda module: module.__name__)
def test_everything_public_is_listed(module: ModuleType) -> None:
    """`import *` gives every public name of a module, except its submodules."""
    things = vars(module).items()
    public = {name for name, thing in things if name[0] != "_" and not inspect.ismodule(thing)}
    assert public - set(dir(builtins)) == set(module.__all__)


def check_members(thing: type) -> None:
    for name, member in vars(thing).items():
        if not name.startswith("_") and not isinstance(member, Layout):
            assert inspect.getdoc(member), f"{thing.__name__}.{name}"


def test_signatures_are_readable() -> None:
    assert str(inspect.signature(snowmint.guess)) == "(id, *, now=None, beside='')"
    assert str(inspect.signature(Layout)) == "(fields, *, epoch=0, tick_ms=1)"
    assert "worker_id=Ellipsis, store=Ellipsis" in str(inspect.signature(snowmint.Snowflake))


def test_classes_are_as_they_are() -> None:
    with pytest.raises(AttributeError):
        Parts(time=1).sequence = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        type("Own", (snowmint.Snowflake,), {})


def test_every_code_has_a_class_of_its_kind() -> None:
    for code in snowmint.error_codes():
        error = snowmint.SnowmintError("", code.name, code.number)
        assert code.name in repr(error) and code.name in repr(code)
    subclasses = {cls.__name__ for cls in snowmint.SnowmintError.__subclasses__()}
    assert subclasses <= set(snowmint.__all__)


def test_importing_imports_little() -> None:
    """Nothing that takes long: not datetime, asyncio, uuid or array. `atexit` is built in."""
    script = (
        "import sys; before = set(sys.modules); import snowmint; "
        "print(*(set(sys.modules) - before))"
    )
    output = subprocess.run(
        [sys.executable, "-I", "-c", script], check=True, capture_output=True, text=True
    ).stdout
    assert {name for name in output.split() if not name.startswith("snowmint")} <= {"__future__", "atexit"}
