#!/usr/bin/env python3
"""Judges every test vector by the reference implementation; the last line counts the cases."""

import json
import pathlib
import re
import sys

import opaque_reference as opaque
import snowmint_reference as reference
from snowmint_reference import Refused

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "vectors"
SHOWN_MAX = 20


class Judge:
    def __init__(self):
        self.passed, self.failures, self.file = 0, [], ""

    def case(self, name, expected, compute):
        """Compares what a vector says with what the reference computes, or with its refusal."""
        try:
            computed = compute()
        except Refused as refusal:
            computed = {"error": refusal.code}
            if refusal.wait_ms is not None:
                computed["wait_ms"] = str(refusal.wait_ms)
        except Exception as error:  # a damaged vector may be anything: it fails, the rest goes on
            computed = f"{type(error).__name__}: {error}"
        if computed == expected:
            self.passed += 1
        else:
            self.failures.append((f"{self.file}: {name}", expected, computed))


def without(case, *names):
    return {name: value for name, value in case.items() if name not in names}


def texts(values):
    """64-bit numbers are strings in the vectors."""
    return {name: value if name in ("worker_id", "sequence", "rollback") else str(value)
            for name, value in values.items()}


class Layouts:
    def __init__(self, document):
        self.presets = {case["name"]: self.build(case) for case in document["layouts"]}

    @staticmethod
    def build(case):
        return reference.Layout(case["fields"], int(case["epoch_ms"]), case["tick_ms"])

    def of(self, case):
        return self.presets[case["preset"]] if "preset" in case else self.build(case)


def check_layouts(judge, document, _):
    for case in document["layouts"]:
        check_layout(judge, case, Layouts.build(case))
    for case in document["invalid"]:
        judge.case(f"invalid: {case['why']}", {"error": case["error"]},
                   lambda case=case: Layouts.build(case))


def check_layout(judge, case, layout):
    name = case["name"]
    facts = without(case, "name", "preset", "fields", "epoch_ms", "tick_ms",
                    "worker_ids", "encode", "decode", "bounds")
    judge.case(f"{name}: facts", facts, lambda: {
        "worker_bits": layout.worker_bits, "max_worker_id": 2**layout.worker_bits - 1,
        "ids_per_tick": str(layout.per_tick), "ticks": str(layout.ticks),
        "ids_per_second": str(layout.per_tick * 1000 // layout.tick_ms),
        "expires_ms": str(layout.expires_ms), "expires": reference.rfc3339(layout.expires_ms),
        "fits_53": layout.fits(53), "fits_63": layout.fits(63)})
    for at, row in enumerate(case["worker_ids"]):
        judge.case(f"{name}: worker_ids[{at}]", without(row, "parts"),
                   lambda row=row: {"worker_id": layout.worker_id(row["parts"])})
    for at, row in enumerate(case["encode"]):
        judge.case(f"{name}: encode[{at}]", outcome(row, "id"), lambda row=row: {"id": str(
            layout.encode(int(row["unix_ms"]), row["worker_id"], row["sequence"],
                          row["rollback"]))})
    for at, row in enumerate(case["decode"]):
        judge.case(f"{name}: decode[{at}]", without(row, "id"),
                   lambda row=row: texts(layout.decode(int(row["id"]))))
    for at, row in enumerate(case["bounds"]):
        judge.case(f"{name}: bounds[{at}]", without(row, "unix_ms"), lambda row=row: dict(
            zip(("min_id", "max_id"), map(str, layout.bounds(int(row["unix_ms"]))))))


def outcome(row, *names):
    return {name: row[name] for name in (*names, "error") if name in row}


def check_known_ids(judge, document, layouts):
    for row in document["ids"]:
        def compute(row=row):
            layout = layouts.presets[row["preset"]]
            values = layout.split(int(row["id"]))
            values.pop("constant", None)
            unix_ms = layout.start_of(values["time"])
            if layout.join(values) != int(row["id"]):
                return "the fields do not make the ID again"
            return {**row, "unix_ms": str(unix_ms), "time": reference.rfc3339(unix_ms),
                    "fields": {**values, "time": str(values["time"])}}
        judge.case(row["id"], row, compute)


def check_guesses(judge, document, layouts):
    """The times of guesses, and that likely ones are right. Which are likely is not judged."""
    for at, row in enumerate(document["guesses"]):
        def time_in(preset, row=row):
            layout = layouts.presets[preset]
            return str(layout.start_of(layout.split(int(row["id"]))["time"]))
        times = {guess["preset"]: guess["unix_ms"] for guess in row["guesses"]}
        judge.case(f"guesses[{at}]", times, lambda times=times, time_in=time_in: {
            name: time_in(name) for name in times})
        judge.case(f"guesses[{at}].unix_ms", row["unix_ms"], lambda row=row, time_in=time_in:
                   row["preset"] and time_in(row["preset"]))
        likely = {guess["unix_ms"] for guess in row["guesses"] if guess["doubt"] is None}
        judge.case(f"guesses[{at}] are right", True, lambda row=row, likely=likely:
                   likely <= {row["unix_ms"]})


def lane_of(case):
    return {"worker_id": case["worker_id"], "rollback": case["rollback"],
            "floor": int(case["floor"]), "reserved": int(case["reserved"])}


def check_snowflakes(judge, document, layouts):
    policies = {row["name"]: row for row in document["policies"]}
    zero = {"kind": "zero"}
    for at, row in enumerate(document["refused"]):
        judge.case(f"refused[{at}]", {"error": row["error"]}, lambda row=row: reference.Snowflake(
            layouts.of(row["layout"]), lane_of(row["lane"]), 0, zero))
    for trace in document["traces"]:
        machine = reference.Snowflake(layouts.of(trace["layout"]), lane_of(trace["lane"]),
                                      trace["max_ahead_ms"], trace["start"])
        policy = policies.get(trace.get("policy"))
        if policy is not None:
            judge.case(f"{trace['name']}: window", trace["max_ahead_ms"],
                       lambda policy=policy: policy["max_ahead_ms"])
        for at, step in enumerate(trace["steps"]):
            given = ("op", "now_ms", "n", "worker_id", "rollback", "floor", "reserved")
            judge.case(f"{trace['name']}: steps[{at}] {step['op']}", without(step, *given),
                       lambda step=step: snowflake_step(machine, policy, step))


def snowflake_step(machine, policy, step):
    if step["op"] == "extend":
        machine.extend(int(step["reserved"]))
    elif step["op"] in ("open", "jump"):
        machine.change(lane_of(step), keeps_rising=step["op"] == "open")
    elif step["op"] == "issue":
        return issue(machine, policy, int(step["now_ms"]), step["n"])
    else:
        return "no such operation"
    return {}


def issue(machine, policy, now_ms, n):
    try:
        slot, past = machine.issue(now_ms, n)
    except Refused as refusal:
        if refusal.wait_ms is None or policy is None:
            raise
        action = reference.action(policy, refusal.code, refusal.wait_ms)
        return {"error": refusal.code, "wait_ms": str(refusal.wait_ms), "action": action}
    issued = {"first": str(machine.id(slot)), "last": str(machine.id(past - 1))}
    if n <= 8:
        issued["ids"] = [str(machine.id(one)) for one in range(slot, past)]
    return issued


def check_segments(judge, document, _):
    for row in document["limits"]:
        judge.case(row["name"], row["value"], lambda row=row: str(reference.LARGEST[row["name"]]))
    for at, row in enumerate(document["ranges"]):
        def compute(row=row):
            run = reference.numbers(*(int(row[name]) for name in ("start", "end", "stride")))
            # Not len(): it ends at sys.maxsize.
            return {"count": str((run[-1] - run.start) // run.step + 1), "last": str(run[-1])}
        judge.case(f"ranges[{at}]", outcome(row, "count", "last"), compute)
    for at, row in enumerate(document["steps"]):
        judge.case(f"steps[{at}]", outcome(row), lambda row=row: reference.check_step(
            int(row["min"]), int(row["max"])) or {})
    for trace in document["traces"]:
        step = trace["step"]
        buffer = reference.SegmentBuffer(trace["prefetch"], int(step["min"]), int(step["max"]),
                                         int(trace["above"]))
        for at, step in enumerate(trace["steps"]):
            judge.case(f"{trace['name']}: steps[{at}] {step['op']}", step,
                       lambda step=step: segment_step(buffer, step))


def segment_step(buffer, step):
    """The step as it should read."""
    op, read = step["op"], dict(step)
    if op == "wants":
        wanted = buffer.wants(int(step["now_ms"]))
        return {**read, "step": None if wanted is None else str(wanted)}
    if op in ("take", "take_until_request"):
        taken = buffer.take(int(step["n"])) if op == "take" else buffer.take_until_request()
        read["range"] = taken and range_of(taken, step["range"])
    elif op == "supply":
        read.pop("error", None)
        run = reference.numbers(*(int(step[name]) for name in ("start", "end", "stride")))
        try:
            buffer.supply(run, int(step["end"]), int(step["now_ms"]))
        except Refused as refusal:
            read["error"] = refusal.code
        read["floor"] = str(buffer.floor)
    elif op == "resize":
        buffer.resize(int(step["min"]), int(step["max"]))
    elif op == "failed":
        buffer.failed()
    else:
        return "no such operation"
    if "remaining" in step:
        read["remaining"] = str(sum(len(run) for run in buffer.ready))
    return read


def range_of(run, written):
    """A run of numbers, with the end as written if that bounds the same run."""
    written = written or {"end": str(run.stop)}
    end = int(written["end"])
    same = run[-1] < end <= run[-1] + run.step
    return {"start": str(run.start), "end": str(end if same else run.stop),
            "stride": str(run.step)}


def check_texts(judge, document, _):
    for row in document["forms"]:
        def compute(row=row):
            alphabet, width = reference.FORMS[row["form"]]
            whole = width and len(reference.format_text(row["form"], 0))
            return {"form": row["form"], "alphabet": alphabet, "width": whole,
                    "sortable": width is not None}
        judge.case(row["form"], row, compute)
    for row in document["texts"]:
        id = int(row["id"])
        judge.case(f"{id}: forms", set(row["texts"]), lambda: set(reference.FORMS))
        for form, text in row["texts"].items():
            judge.case(f"{id} as {form}", text, lambda: reference.format_text(form, id))
            judge.case(f"{form} {text}", id, lambda: reference.parse_text(form, text))
    for row in document["others"]:
        judge.case(f"{row['form']} {row['text']!r}", int(row["id"]),
                   lambda row=row: reference.parse_text(row["form"], row["text"]))
        judge.case(f"{row['form']} {row['text']!r} is another spelling", True,
                   lambda row=row: row["text"] != reference.format_text(row["form"],
                                                                        int(row["id"])))
    for row in document["invalid"]:
        judge.case(f"{row['form']} {row['text']!r}", {"error": row["error"]},
                   lambda row=row: reference.parse_text(row["form"], row["text"]))
    for row in document["detect"]:
        judge.case(f"detect {row['text']!r}", row["form"],
                   lambda row=row: reference.detect(row["text"]))


def check_opaque(judge, document, _):
    for row in document["aes"]:
        judge.case(f"aes: {row['source']}", row["enciphered"], lambda row=row: opaque.aes(
            bytes.fromhex(row["key"]), bytes.fromhex(row["plain"])).hex())
    for row in document["ff1"]:
        key, tweak = bytes.fromhex(row["key"]), bytes.fromhex(row["tweak"])
        plain, enciphered = ([int(digit, 36) for digit in row[name]]
                             for name in ("plain", "enciphered"))
        judge.case(f"{row['source']}", enciphered,
                   lambda: opaque.ff1(key, row["radix"], tweak, plain))
        judge.case(f"{row['source']}, back", plain,
                   lambda: opaque.ff1(key, row["radix"], tweak, enciphered, decrypt=True))
    rings = {row["name"]: opaque.Keyring(**without(row, "name")) for row in document["keyrings"]}
    for row in document["ids"]:
        check_public_id(judge, row, rings[row["keyring"]])
    for at, row in enumerate(document["refused"]):
        ring, name = rings[row["keyring"]], f"refused[{at}] {row['text']!r}"
        if row["form"] == "uuid":
            judge.case(name, outcome(row), lambda: ring.read_uuid(row["type"], row["text"]))
        else:
            judge.case(name, outcome(row), lambda: ring.read_token(
                row["type"], row["form"], row["text"]))
    for row in document["refused_keys"]:
        judge.case(f"keys: {row['why']}", outcome(row),
                   lambda row=row: opaque.read_keys(row["document"]))


def check_public_id(judge, row, ring):
    kind, id, key = row["type"], int(row["id"]), row["key"]
    number = {name: int(name[-2:]) for name in ("number_64", "number_63", "number_53")}

    def forms():
        made = {name: ring.number(kind, id, width) for name, width in number.items()}
        return {"token": ring.token(kind, id, key), "base64url": ring.base64url(kind, id, key),
                "uuid": ring.uuid(kind, id, key),
                **{name: value if value is None else str(value) for name, value in made.items()}}

    def read():
        return {ring.read_token(kind, "token", row["token"]), ring.read_uuid(kind, row["uuid"]),
                ring.read_token(kind, "base64url", row["base64url"]),
                *(ring.number(kind, int(row[name]), width, decrypt=True)
                  for name, width in number.items() if row[name] is not None)}

    name = f"{row['keyring']}, {key}, {kind} {id}"
    judge.case(name, without(row, "keyring", "key", "type", "id"), forms)
    judge.case(f"{name}, read", {id}, read)


def check_errors(judge, document, _):
    """The table is what it is: its shape can be judged, and that the other files keep to it."""
    rows, last, names = document["errors"], 0, set()
    known = {row["name"] for row in rows}
    for path in sorted(VECTORS.glob("*.json")):
        used = set(re.findall(r'"error": "([^"]*)"', path.read_text(encoding="utf-8")))
        judge.case(f"codes of {path.name}", set(), lambda used=used: used - known)
    for row in rows:
        name, number = row["name"], row["number"]
        judge.case(f"{number} {name}", (True, True, True), lambda: (
            number > last, name not in names and name.replace("_", "").islower(),
            row["summary"].endswith(".")))
        last, names = number, names | {name}


def check_events(judge, document, _):
    """As the table of errors."""
    last, names = 0, set()
    for row in document["events"]:
        name, number = row["name"], row["number"]
        judge.case(f"event {number} {name}", (True, True, True, True), lambda: (
            number > last, name not in names and name.replace("_", "").islower(),
            row["severity"] in ("warning", "info"), row["summary"].endswith(".")))
        last, names = number, names | {name}


FILES = {
    "errors.json": check_errors,
    "events.json": check_events,
    "guesses.json": check_guesses,
    "known-ids.json": check_known_ids,
    "layouts.json": check_layouts,
    "opaque.json": check_opaque,
    "segments.json": check_segments,
    "snowflakes.json": check_snowflakes,
    "texts.json": check_texts,
}
# Scenarios of sources with real files and clocks, and sentences about pasted texts: there is nothing
# to compute but their codes.
NOT_COMPUTED = {"readings.json", "sources.json"}


def main():
    judge = Judge()
    documents = {path.name: json.loads(path.read_text(encoding="utf-8"))
                 for path in sorted(VECTORS.glob("*.json"))}
    judge.case("files", sorted(FILES), lambda: sorted(documents.keys() - NOT_COMPUTED))
    layouts = Layouts(documents["layouts.json"])
    for name, check in FILES.items():
        judge.file, passed, failed = name, judge.passed, len(judge.failures)
        check(judge, documents[name], layouts)
        print(f"{name}: {judge.passed - passed} passed, {len(judge.failures) - failed} failed")
    for name, expected, computed in judge.failures[:SHOWN_MAX]:
        print(f"\n{name}\n  vector:    {json.dumps(expected, default=str)}"
              f"\n  reference: {json.dumps(computed, default=str)}")
    if len(judge.failures) > SHOWN_MAX:
        print(f"\n... and {len(judge.failures) - SHOWN_MAX} more")
    print(f"{judge.passed} passed, {len(judge.failures)} failed")
    return 1 if judge.failures else 0


if __name__ == "__main__":
    sys.exit(main())
