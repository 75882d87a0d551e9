//! `layouts.json` and `known-ids.json`.

use serde_json::Value;
use snowmint_engine::{
    ClockPolicy, FieldKind, Fit, Layout, Parts, Preset, Timestamp, WhenBehind, WhenFull,
};

use crate::reading::{build, document, judge, list, narrow, text, wide};
use crate::snowflakes::start;

#[test]
fn layouts() {
    let document = document("layouts.json");
    for case in list(&document, "layouts") {
        let layout = build(case).unwrap();
        facts(case, &layout);
        encode_and_decode(case, &layout);
        for row in list(case, "bounds") {
            let unix_ms = wide(row, "unix_ms");
            judge(row, layout.min_id(unix_ms), || wide(row, "min_id"));
            judge(row, layout.max_id(unix_ms), || wide(row, "max_id"));
        }
        for row in list(case, "worker_ids") {
            let parts: Vec<(FieldKind, u32)> = row["parts"]
                .as_object()
                .unwrap()
                .keys()
                .map(|name| (FieldKind::from_name(name).unwrap(), narrow(&row["parts"], name)))
                .collect();
            judge(row, layout.worker_id(&parts), || narrow(row, "worker_id"));
        }
    }
    for case in list(&document, "invalid") {
        judge(case, build(case), || panic!("it should be invalid: {case}"));
    }
}

#[test]
fn presets_are_the_cases_that_say_so_in_their_order() {
    let document = document("layouts.json");
    let cases = list(&document, "layouts").iter().filter(|case| case["preset"].is_object());
    let cases: Vec<&Value> = cases.collect();
    assert_eq!(cases.len(), Preset::ALL.len());
    for (case, preset) in cases.into_iter().zip(Preset::ALL) {
        assert_eq!((text(case, "name"), build(case)), (preset.name, Ok(preset.layout)));
        assert_eq!(policy(&case["preset"]["policy"]), preset.policy);
        assert_eq!(start(&case["preset"]["start"]), preset.start);
    }
}

#[test]
fn known_ids() {
    let document = document("known-ids.json");
    assert!(list(&document, "ids").len() >= 30);
    for case in list(&document, "ids") {
        let layout = Preset::from_name(text(case, "preset")).unwrap().layout;
        let id: u64 = wide(case, "id");
        let parts = layout.decode(id).unwrap();
        assert_eq!(parts.unix_ms, wide::<i64>(case, "unix_ms"), "{case}");
        assert_eq!(Timestamp(parts.unix_ms).to_string(), text(case, "time"), "{case}");
        assert_eq!(layout.encode(parts), Ok(id), "{case}");
        assert_eq!(layout.tick_at(parts.unix_ms), Ok(wide(&case["fields"], "time")), "{case}");
        let fields = case["fields"].as_object().unwrap();
        let named = layout.fields().iter().filter(|field| field.kind() != FieldKind::Constant);
        assert_eq!(named.clone().count(), fields.len(), "{case}");
        for field in named {
            let written = &fields[field.kind().name()];
            let value = written.as_u64().or_else(|| written.as_str()?.parse().ok());
            assert_eq!(value, Some(field.of(id)), "{case}");
        }
    }
}

fn facts(case: &Value, layout: &Layout) {
    assert_eq!(layout.fields_text().to_string(), text(case, "fields"));
    assert_eq!(layout.to_string().parse(), Ok(*layout));
    assert_eq!(layout.worker_bits(), narrow(case, "worker_bits"), "{case}");
    assert_eq!(layout.max_worker_id(), narrow(case, "max_worker_id"), "{case}");
    assert_eq!(layout.ids_per_tick(), wide::<u64>(case, "ids_per_tick"), "{case}");
    assert_eq!(layout.ids_per_second(), wide::<u64>(case, "ids_per_second"), "{case}");
    assert_eq!(layout.ticks(), wide::<u64>(case, "ticks"), "{case}");
    assert_eq!(layout.expires_ms(), wide::<i64>(case, "expires_ms"), "{case}");
    assert_eq!(Timestamp(layout.expires_ms()).to_string(), text(case, "expires"));
    assert_eq!(layout.fits(53), fit(text(case, "fits_53")), "{case}");
    assert_eq!(layout.fits(63), fit(text(case, "fits_63")), "{case}");
    assert_eq!(layout.fits(64), Fit::Always);
}

fn fit(text: &str) -> Fit {
    match text.split_once(' ') {
        Some(("until", unix_ms)) => Fit::Until(unix_ms.parse().unwrap()),
        _ if text == "always" => Fit::Always,
        _ if text == "never" => Fit::Never,
        _ => panic!("{text}"),
    }
}

fn parts(row: &Value) -> Parts {
    Parts {
        unix_ms: wide(row, "unix_ms"),
        worker_id: narrow(row, "worker_id"),
        sequence: narrow(row, "sequence"),
        rollback: narrow(row, "rollback"),
    }
}

fn encode_and_decode(case: &Value, layout: &Layout) {
    for row in list(case, "encode") {
        judge(row, layout.encode(parts(row)), || wide(row, "id"));
    }
    for row in list(case, "decode") {
        let id = wide(row, "id");
        let decoded = layout.decode(id);
        judge(row, decoded, || parts(row));
        if let Ok(parts) = decoded {
            assert_eq!(layout.encode(parts), Ok(id), "{row}");
        }
    }
}

pub(crate) fn policy(row: &Value) -> ClockPolicy {
    let when_behind = match text(row, "when_behind").split_once(' ') {
        Some(("wait", max_ms)) => WhenBehind::Wait { max_ms: max_ms.parse().unwrap() },
        Some(("change_worker", max_ms)) => {
            WhenBehind::ChangeWorker { max_ms: max_ms.parse().unwrap() }
        }
        _ if text(row, "when_behind") == "fail" => WhenBehind::Fail,
        _ if text(row, "when_behind") == "count_rollback" => WhenBehind::CountRollback,
        _ => panic!("{row}"),
    };
    let when_full = match text(row, "when_full") {
        "wait" => WhenFull::Wait,
        "fail" => WhenFull::Fail,
        other => panic!("{other}"),
    };
    ClockPolicy::new(narrow(row, "max_ahead_ms"), when_behind).with_when_full(when_full)
}
