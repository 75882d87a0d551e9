"""Sources on a real file system, with a real clock: the scenarios of every language."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import pytest
from vectors import document, known, wide

import snowmint

KINDS = {
    "snowflake": snowmint.Snowflake,
    "segment": snowmint.Segment,
    "daily": snowmint.Daily,
    "sequences": snowmint.Sequences,
    "uuid": snowmint.UuidSource,
    "ring": snowmint.Ring,
}
KEYS = {
    "create_tag": "op store tag start step stride max error",
    "open": "op as url kind error",
    "next_id": "op of id layout worker_id error",
    "next_ids": "op of count ids error",
    "fill": "op of count error",
    "next_of": "op of key number error",
    "next_uuid": "op of version error",
    "close": "op of error",
}


class Scenario:
    """One scenario in a directory of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = str(directory)
        self.handles: dict[str, Any] = {}
        self.minted: dict[str, list[int]] = {}
        self.uuids: list[object] = []

    def run(self, step: dict[str, Any]) -> None:
        known(step, KEYS[step["op"]])
        expected = step.get("error")
        try:
            getattr(self, step["op"])(step)
        except snowmint.SnowmintError as error:
            assert error.code == expected, step
        else:
            assert expected is None, step

    def place(self, url: str) -> str:
        return url.replace("{dir}", self.directory)

    def create_tag(self, step: dict[str, Any]) -> None:
        options = {name: wide(step[name]) for name in ("start", "step", "stride", "max") if name in step}
        snowmint.Store.open(self.place(step["store"])).create_tag(step["tag"], **options)

    def open(self, step: dict[str, Any]) -> None:
        source = snowmint.open(self.place(step["url"]))
        assert type(source) is KINDS[step["kind"]]
        self.handles[step["as"]] = source
        self.minted[f"{step['as']} {len(self.minted)}"] = []

    def note(self, step: dict[str, Any], ids: list[int]) -> None:
        latest = [name for name in self.minted if name.split()[0] == step["of"]][-1]
        self.minted[latest] += ids

    def next_id(self, step: dict[str, Any]) -> None:
        id = self.handles[step["of"]].next_id()
        self.note(step, [id])
        if "id" in step:
            assert id == wide(step["id"])
        if "layout" in step:
            assert snowmint.Layout.named(step["layout"]).decode(id).worker_id == step["worker_id"]

    def next_ids(self, step: dict[str, Any]) -> None:
        ids = list(self.handles[step["of"]].next_ids(step["count"]))
        self.note(step, ids)
        assert len(ids) == step["count"]
        if "ids" in step:
            assert ids == [wide(id) for id in step["ids"]]

    def fill(self, step: dict[str, Any]) -> None:
        ids = array("Q", bytes(8 * step["count"]))
        self.handles[step["of"]].fill(ids)
        self.note(step, list(ids))

    def next_of(self, step: dict[str, Any]) -> None:
        assert self.handles[step["of"]].next(wide(step["key"])) == wide(step["number"])

    def next_uuid(self, step: dict[str, Any]) -> None:
        uuid = self.handles[step["of"]].next_uuid()
        assert uuid.version == step["version"]
        self.uuids.append(uuid)

    def close(self, step: dict[str, Any]) -> None:
        self.handles[step["of"]].close()

    def finish(self) -> None:
        ids = [id for minted in self.minted.values() for id in minted]
        assert len(set(ids)) == len(ids)
        assert all(minted == sorted(minted) for minted in self.minted.values())
        assert len(set(self.uuids)) == len(self.uuids)
        for source in self.handles.values():
            source.close()


def scenarios() -> list[Any]:
    scenarios = known(document("sources.json"), "scenarios")["scenarios"]
    return [pytest.param(scenario, id=scenario["name"]) for scenario in scenarios]


@pytest.mark.parametrize("scenario", scenarios())
def test_scenario(scenario: dict[str, Any], tmp_path: Path) -> None:
    known(scenario, "name about steps")
    running = Scenario(tmp_path)
    for step in scenario["steps"]:
        running.run(step)
    running.finish()


URLS = {
    snowmint.Snowflake: "snowflake:?worker_id=7&state=.",
    snowmint.Segment: "segment+sqlite:ids.db?tag=orders",
    snowmint.Daily: "daily+sqlite:ids.db?tag=invoices",
    snowmint.Sequences: "sequences+sqlite:ids.db?tag=chat",
    snowmint.UuidSource: "uuid:?version=7",
    snowmint.Ring: "snowflake:?worker_id=7&state=.&ring=16",
}
# Kinds of sources that are not named like the class.
NAMED = {snowmint.UuidSource: "uuid"}


@pytest.mark.parametrize("opener", URLS, ids=lambda opener: opener.__name__)
def test_a_class_opens_its_own_urls_alone(
    opener: Any, store: snowmint.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for other, url in URLS.items():
        if other is opener:
            with opener.open(url) as source:
                assert type(source) is opener
                minting = other not in (snowmint.Sequences, snowmint.UuidSource)
                assert isinstance(source, snowmint.Source) is minting
            continue
        with pytest.raises(snowmint.ParameterError) as raised:
            opener.open(url)
        found, wanted = (NAMED.get(each, each.__name__.lower()) for each in (other, opener))
        assert f"of the kind {found}, and {wanted} is asked for" in str(raised.value)
    with pytest.raises(snowmint.UrlError):
        opener.open("nonsense")


@pytest.mark.parametrize(
    ("opener", "url"),
    [
        (snowmint.Snowflake, "segment+sqlite:new.db?create=true&tag=a"),
        (snowmint.Segment, "snowflake+sqlite:new.db?create=true"),
        (snowmint.Ring, "snowflake+sqlite:new.db?create=true"),
        (snowmint.Snowflake, "snowflake+sqlite:new.db?create=true&ring=16"),
    ],
)
def test_nothing_is_opened_for_a_url_of_another_class(
    opener: Any, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(snowmint.ParameterError, match=f"{opener.__name__.lower()} is asked for"):
        opener.open(url)
    assert not list(tmp_path.iterdir())
