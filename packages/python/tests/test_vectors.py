"""Every case of every vector file: the same bits, stalls and codes as in Rust."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest
import vectors
from vectors import build, document, judge, known, narrow, wide

import snowmint
from snowmint import Layout, Parts, engine


def test_every_file_is_read() -> None:
    read = {
        "errors.json",
        "events.json",
        "guesses.json",
        "known-ids.json",
        "layouts.json",
        "opaque.json",  # in test_public_id_keys.py
        "readings.json",
        "segments.json",
        "snowflakes.json",
        "sources.json",
        "texts.json",
    }
    assert {path.name for path in vectors.directory().glob("*.json")} == read


def test_errors() -> None:
    rows = known(document("errors.json"), "errors")["errors"]
    table = [(code.number, code.name, code.summary) for code in snowmint.error_codes()]
    assert table == [
        (row["number"], row["name"], row["summary"])
        for row in (known(row, "number name summary") for row in rows)
    ]


def test_known_ids() -> None:
    cases = known(document("known-ids.json"), "ids")["ids"]
    assert len(cases) >= 30
    for case in cases:
        known(case, "id preset unix_ms time fields source about why")
        layout, id = Layout.named(case["preset"]), wide(case["id"])
        parts = layout.decode(id)
        assert parts.unix_ms == wide(case["unix_ms"])
        assert parts.time == datetime.fromisoformat(case["time"].replace("Z", "+00:00"))
        assert parts.time.tzinfo is timezone.utc
        assert layout.encode(parts) == id
        fields = {field.kind: field.of(id) for field in layout.fields if field.kind != "constant"}
        assert fields == {name: int(value) for name, value in case["fields"].items()}
        rest = ("time", "sequence", "rollback")
        own = {name: value for name, value in fields.items() if name not in rest}
        assert layout.worker_parts(parts.worker_id) == own
        assert layout.tick_at(parts.time) == fields["time"]


LAYOUT_KEYS = (
    "name fields epoch_ms tick_ms preset worker_bits max_worker_id ids_per_tick ids_per_second "
    "ticks expires_ms expires fits_53 fits_63 worker_ids encode decode bounds"
)


def parts_of(row: dict[str, Any]) -> Parts:
    return Parts(
        time=wide(row["unix_ms"]),
        worker_id=narrow(row["worker_id"]),
        sequence=narrow(row["sequence"]),
        rollback=narrow(row["rollback"]),
    )


def check_facts(case: dict[str, Any], layout: Layout) -> None:
    assert layout.text == case["fields"]
    assert str(layout) == f"{layout.text}@{layout.epoch_ms}/{layout.tick_ms}"
    assert Layout.named(str(layout)) == layout
    assert layout.worker_bits == case["worker_bits"]
    assert layout.max_worker_id == case["max_worker_id"]
    assert layout.ids_per_tick == wide(case["ids_per_tick"])
    assert layout.ids_per_second == wide(case["ids_per_second"])
    assert layout.ticks == wide(case["ticks"])
    assert layout.expires_ms == wide(case["expires_ms"])
    try:
        expires = datetime.fromisoformat(case["expires"].replace("Z", "+00:00"))
    except ValueError:
        with pytest.raises(ValueError) as raised:
            layout.expires
        assert isinstance(raised.value, snowmint.ParameterError)
        assert raised.value.code == "invalid_time"
    else:
        assert layout.expires == expires
    assert str(layout.fits(53)) == case["fits_53"]
    assert str(layout.fits(63)) == case["fits_63"]
    assert str(layout.fits(64)) == "always"


def check_rows(case: dict[str, Any], layout: Layout) -> None:
    for row in case["encode"]:
        known(row, "unix_ms worker_id sequence rollback id error")
        judge(row, lambda: layout.encode(parts_of(row)), lambda: wide(row["id"]))
    for row in case["decode"]:
        known(row, "unix_ms worker_id sequence rollback id error")
        judge(row, lambda: layout.decode(wide(row["id"])), lambda: parts_of(row))
    for row in case["bounds"]:
        known(row, "unix_ms min_id max_id error")
        time = wide(row["unix_ms"])
        judge(row, lambda: layout.min_id(time), lambda: wide(row["min_id"]))
        judge(row, lambda: layout.max_id(time), lambda: wide(row["max_id"]))
    for row in case["worker_ids"]:
        known(row, "parts worker_id error")
        judge(row, lambda: layout.worker_id(**row["parts"]), lambda: narrow(row["worker_id"]))


def test_layouts() -> None:
    cases = known(document("layouts.json"), "layouts invalid")
    for case in cases["layouts"]:
        layout = build(known(case, LAYOUT_KEYS))
        check_facts(case, layout)
        check_rows(case, layout)
    for case in cases["invalid"]:
        known(case, "why fields epoch_ms tick_ms error")
        judge(case, lambda: build(case), lambda: "an error")


def test_presets() -> None:
    cases = [case for case in document("layouts.json")["layouts"] if "preset" in case]
    presets = Layout.presets()
    assert [preset.name for preset in presets] == [case["name"] for case in cases]
    for preset, case in zip(presets, cases):
        known(case["preset"], "policy start")
        assert preset.layout == build(case) == Layout.named(preset.name)
        assert preset.layout == getattr(Layout, preset.name.upper().replace("-", "_"))
        assert preset.policy == vectors.policy(case["preset"]["policy"])
        assert preset.start == vectors.start(case["preset"]["start"])


def test_guesses() -> None:
    cases = known(document("guesses.json"), "now_ms guesses")
    now = wide(cases["now_ms"])
    for case in cases["guesses"]:
        known(case, "id beside system source preset unix_ms guesses")
        guesses = snowmint.guess(wide(case["id"]), now=now, beside=case["beside"])
        found = [
            {
                "preset": guess.preset.name,
                "unix_ms": str(guess.parts.unix_ms),
                "named": guess.named,
                "doubt": guess.doubt,
            }
            for guess in guesses
        ]
        assert found == case["guesses"], case["id"]
        if guesses and guesses[0].doubt is None:
            assert snowmint.decode(case["id"], now=now, beside=case["beside"]) == guesses[0]
        else:
            with pytest.raises(snowmint.LayoutError, match="no preset is likely: it"):
                snowmint.decode(case["id"], now=now, beside=case["beside"])


def test_texts() -> None:
    cases = known(document("texts.json"), "forms texts others invalid detect")
    forms = [(f.name, f.alphabet, f.width, f.sortable) for f in snowmint.text_forms()]
    rows = [known(row, "form alphabet width sortable") for row in cases["forms"]]
    assert forms == [(r["form"], r["alphabet"], r["width"], r["sortable"]) for r in rows]
    for row in cases["texts"]:
        id = wide(known(row, "id texts")["id"])
        assert row["texts"] == {form[0]: snowmint.format(id, form[0]) for form in forms}
        assert all(snowmint.parse(text, form) == id for form, text in row["texts"].items())
    for row in cases["others"]:
        id = wide(known(row, "form text id")["id"])
        assert snowmint.parse(row["text"], row["form"]) == id
        assert snowmint.format(id, row["form"]) != row["text"]
    for row in cases["invalid"]:
        known(row, "form text error why")
        judge(row, lambda: snowmint.parse(row["text"], row["form"]), lambda: "an error")
    for row in cases["detect"]:
        known(row, "text form why")
        assert snowmint.detect(row["text"]) == row["form"]


def test_what_is_wrong_with_a_text() -> None:
    readings = known(document("readings.json"), "now_ms readings")["readings"]
    advised = [row for row in readings if "advice" in row]
    assert len(advised) > 30
    for row in advised:
        message = row["sentence"] if row["advice"] is True else row["advice"]
        for form in (None, "dec"):
            with pytest.raises(snowmint.TextError) as refused:
                snowmint.parse(row["text"], form)
            assert message in str(refused.value), row["text"]


def lane(case: dict[str, Any]) -> dict[str, int]:
    return {
        "worker_id": narrow(case["worker_id"]),
        "rollback": narrow(case["rollback"]),
        "floor": wide(case["floor"]),
        "reserved": wide(case["reserved"]),
    }


def issue(
    flake: engine.Snowflake, policy: engine.ClockPolicy | None, step: dict[str, Any]
) -> None:
    try:
        ids = flake.issue(narrow(step["n"]), now=wide(step["now_ms"]))
    except snowmint.SnowmintError as error:
        assert error.code == step["error"]
        assert error.wait_ms == (wide(step["wait_ms"]) if "wait_ms" in step else None)
        stalled = isinstance(error, snowmint.StallError)
        assert stalled == ("wait_ms" in step)
        action = policy.action(error) if policy and stalled else None
        assert action == step.get("action")
    else:
        assert (ids[0], ids[-1], len(ids)) == (wide(step["first"]), wide(step["last"]), step["n"])
        assert len(ids) > 8 or [str(id) for id in ids] == step["ids"]


STEP_KEYS = (
    "op n now_ms first last ids error wait_ms action reserved worker_id rollback floor why"
)


def run(flake: engine.Snowflake, policy: engine.ClockPolicy | None, step: dict[str, Any]) -> None:
    match known(step, STEP_KEYS)["op"]:
        case "issue":
            issue(flake, policy, step)
        case "extend":
            flake.extend(wide(step["reserved"]))
        case "open":
            judge(step, lambda: flake.open(**lane(step)), lambda: None)
        case "jump":
            judge(step, lambda: flake.jump(**lane(step)), lambda: None)
        case other:
            raise AssertionError(other)


def snowflake_traces() -> list[Any]:
    traces = document("snowflakes.json")["traces"]
    return [pytest.param(trace, id=trace["name"]) for trace in traces]


@pytest.mark.parametrize("trace", snowflake_traces())
def test_snowflake_trace(trace: dict[str, Any]) -> None:
    known(trace, "name about layout lane start max_ahead_ms policy steps")
    flake = engine.Snowflake(
        vectors.layout(trace["layout"]),
        max_ahead_ms=narrow(trace["max_ahead_ms"]),
        start=vectors.start(trace["start"]),
        **lane(trace["lane"]),
    )
    policy = engine.ClockPolicy.named(trace["policy"]) if trace.get("policy") else None
    for step in trace["steps"]:
        run(flake, policy, step)


def test_policies_and_refusals() -> None:
    cases = known(document("snowflakes.json"), "policies refused traces")
    policies = engine.ClockPolicy.all()
    assert [row["name"] for row in cases["policies"]] == list(policies)
    for row in cases["policies"]:
        assert vectors.policy(row) == policies[row["name"]]
    for case in cases["refused"]:
        known(case, "layout lane error why")
        layout = vectors.layout(case["layout"])
        judge(case, lambda: engine.Snowflake(layout, **lane(case["lane"])), lambda: "an error")


def range_of(row: dict[str, Any]) -> engine.Range:
    return engine.Range(wide(row["start"]), wide(row["end"]), wide(row["stride"]))


def step_of(row: dict[str, Any]) -> engine.Step:
    return engine.Step(wide(row["min"]), wide(row["max"]))


def prefetch_of(row: dict[str, Any]) -> engine.Prefetch:
    match known(row, "kind used_percent distance")["kind"]:
        case "double_bucket":
            return engine.Prefetch.double_bucket(row["used_percent"])
        case "chain":
            return engine.Prefetch.chain(row["distance"])
        case other:
            raise AssertionError(other)


def test_ranges_steps_and_limits() -> None:
    cases = known(document("segments.json"), "limits ranges steps traces")
    for row in cases["limits"]:
        assert getattr(engine, known(row, "name value")["name"].upper()) == wide(row["value"])
    for row in cases["ranges"]:
        known(row, "start end stride count last error why")
        judge(row, lambda: range_of(row).count, lambda: wide(row["count"]))
        if "error" not in row and range_of(row).count <= 1000:
            assert range_of(row).numbers()[-1] == wide(row["last"])
    for row in cases["steps"]:
        known(row, "min max error why")
        judge(row, lambda: step_of(row) and None, lambda: None)


def run_buffer(buffer: engine.SegmentBuffer, step: dict[str, Any]) -> None:
    known(step, "op now_ms step n range start end stride floor error min max remaining why")
    taken = lambda: step["range"] and range_of(step["range"])  # noqa: E731
    match step["op"]:
        case "wants":
            wanted = buffer.wants(wide(step["now_ms"]))
            assert wanted == (None if step["step"] is None else wide(step["step"]))
        case "take":
            assert buffer.take(wide(step["n"])) == taken()
        case "take_until_request":
            assert buffer.take_until_request() == taken()
        case "supply":
            now = wide(step["now_ms"])
            judge(step, lambda: buffer.supply(range_of(step), now=now), lambda: None)
            assert buffer.floor == wide(step["floor"])
        case "failed":
            buffer.failed()
        case "resize":
            buffer.resize(step_of(step))
        case other:
            raise AssertionError(other)
    if "remaining" in step:
        assert buffer.remaining == wide(step["remaining"])


def segment_traces() -> list[Any]:
    traces = document("segments.json")["traces"]
    return [pytest.param(trace, id=trace["name"]) for trace in traces]


@pytest.mark.parametrize("trace", segment_traces())
def test_segment_trace(trace: dict[str, Any]) -> None:
    known(trace, "name about prefetch step above steps")
    buffer = engine.SegmentBuffer(
        prefetch=prefetch_of(trace["prefetch"]),
        step=step_of(trace["step"]),
        above=wide(trace["above"]),
    )
    for step in trace["steps"]:
        run_buffer(buffer, step)
