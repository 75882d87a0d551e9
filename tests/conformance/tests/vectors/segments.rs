//! `segments.json`.

use serde_json::Value;
use snowmint_engine::{
    MAX_DISTANCE, MAX_NUMBER, MAX_STEP, NumberRange, Prefetch, SegmentBuffer, SharedRange, StepSize,
};

use crate::reading::{document, judge, list, narrow, text, wide};

#[test]
fn limits_ranges_and_steps() {
    let document = document("segments.json");
    for row in list(&document, "limits") {
        let limit = match text(row, "name") {
            "max_number" => MAX_NUMBER,
            "max_step" => MAX_STEP,
            "max_distance" => u64::from(MAX_DISTANCE),
            other => panic!("no limit {other}"),
        };
        assert_eq!(limit, wide::<u64>(row, "value"));
    }
    for row in list(&document, "ranges") {
        judge(row, range(row).map(|range| range.count()), || wide(row, "count"));
        if let Ok(range) = range(row)
            && range.count() <= 1000
        {
            assert_eq!(range.numbers().last(), Some(wide(row, "last")), "{row}");
        }
    }
    for row in list(&document, "steps") {
        judge(row, step(row).map(|_| ()), || ());
    }
}

#[test]
fn traces() {
    let document = document("segments.json");
    for trace in list(&document, "traces") {
        let buffer =
            SegmentBuffer::new(prefetch(&trace["prefetch"]), step(&trace["step"]).unwrap());
        let mut buffer = buffer.above(wide(trace, "above"));
        for (at, step) in list(trace, "steps").iter().enumerate() {
            println!("{}: steps[{at}]", text(trace, "name")); // shown where the test fails
            run(&mut buffer, step);
        }
    }
}

fn run(buffer: &mut SegmentBuffer, case: &Value) {
    match text(case, "op") {
        "wants" => {
            let asked = buffer.wants(wide(case, "now_ms")).map(|request| request.step.to_string());
            assert_eq!(asked.as_deref(), case["step"].as_str(), "{case}");
        }
        "take" => taken(buffer.take(wide(case, "n")), case),
        "take_until_request" => taken(buffer.take_until_request(), case),
        "supply" => {
            let supplied = buffer.supply(range(case).unwrap(), wide(case, "now_ms"));
            judge(case, supplied, || ());
            assert_eq!(buffer.floor(), wide::<u64>(case, "floor"), "{case}");
        }
        "failed" => buffer.failed(),
        "resize" => buffer.resize(step(case).unwrap()),
        other => panic!("no operation {other}"),
    }
    if !case["remaining"].is_null() {
        assert_eq!(buffer.remaining(), wide::<u64>(case, "remaining"), "{case}");
    }
}

/// Checks that the piece is the one expected, and that a shared range gives out its numbers.
fn taken(piece: Option<NumberRange>, case: &Value) {
    let expected = Some(&case["range"]).filter(|expected| !expected.is_null());
    assert_eq!(piece, expected.map(|row| range(row).unwrap()), "{case}");
    if let Some(piece) = piece {
        let shared = SharedRange::new();
        shared.owner().unwrap().replace(piece);
        let numbers = piece.numbers();
        let start = numbers.clone().next();
        assert_eq!((start, numbers.len() as u64), (Some(piece.start()), piece.count()));
        assert_eq!(shared.take(1).and_then(|first| first.numbers().next()), start, "{case}");
    }
}

fn range(row: &Value) -> Result<NumberRange, snowmint_engine::Error> {
    NumberRange::new(wide(row, "start"), wide(row, "end"), wide(row, "stride"))
}

fn step(row: &Value) -> Result<StepSize, snowmint_engine::Error> {
    StepSize::adaptive(wide(row, "min"), wide(row, "max"))
}

fn prefetch(row: &Value) -> Prefetch {
    match text(row, "kind") {
        "double_bucket" => Prefetch::DoubleBucket {
            used_percent: u8::try_from(narrow(row, "used_percent")).unwrap(),
        },
        "chain" => Prefetch::Chain { distance: narrow(row, "distance") },
        other => panic!("no prefetch {other}"),
    }
}
