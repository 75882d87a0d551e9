//! Tables for JavaScript's constants, which therefore are defined only once.

use alloc::format;
use alloc::string::String;

use js_sys::Array;
use snowmint_engine::{
    ClockPolicy, Code, FieldKind, MAX_COUNT, MAX_DISTANCE, MAX_NUMBER, MAX_STEP, MAX_TAG_LENGTH,
    Preset, SequenceStart, TextForm, WhenBehind, WhenFull,
};
use wasm_bindgen::prelude::*;

use crate::layouts::LayoutHandle;
use crate::made::{Row, list};

/// Returns every error code, in ascending order.
#[wasm_bindgen]
pub fn codes() -> Array {
    list(Code::ALL, |code| {
        let row = Row::new().with("number", code.number());
        row.with("name", code.name()).with("summary", code.summary())
    })
}

/// Returns every clock policy.
#[wasm_bindgen]
pub fn policies() -> Array {
    list(ClockPolicy::ALL, |(name, policy)| with_policy(Row::new().with("name", *name), *policy))
}

/// Returns every preset, in the order of `guess`.
#[wasm_bindgen]
pub fn presets() -> Array {
    list(Preset::ALL, |preset| {
        Row::new()
            .with("name", preset.name)
            .with("note", preset.note)
            .with("layout", LayoutHandle(preset.layout))
            .with("start", start_text(preset.start))
            .with("sinceMs", preset.since_ms)
            .with("policy", with_policy(Row::new(), preset.policy))
    })
}

fn with_policy(row: Row, policy: ClockPolicy) -> Row {
    let (when_behind, max_wait_ms) = match policy.when_behind {
        WhenBehind::Fail => ("fail", None),
        WhenBehind::Wait { max_ms } => ("wait", Some(max_ms)),
        WhenBehind::CountRollback => ("count_rollback", None),
        WhenBehind::ChangeWorker { max_ms } => ("change_worker", Some(max_ms)),
        _ => ("unknown", None),
    };
    let when_full = match policy.when_full {
        WhenFull::Wait => "wait",
        WhenFull::Fail => "fail",
        _ => "unknown",
    };
    row.with("maxAheadMs", policy.max_ahead_ms)
        .with("whenBehind", when_behind)
        .with_some("maxWaitMs", max_wait_ms)
        .with("whenFull", when_full)
}

fn start_text(start: SequenceStart) -> String {
    match start {
        SequenceStart::Zero => "zero".into(),
        SequenceStart::Vibrate { max_offset } => format!("vibrate:{max_offset}"),
        SequenceStart::Random { below, .. } => format!("random:{below}"),
        SequenceStart::Rotate => "rotate".into(),
        _ => "unknown".into(),
    }
}

/// Returns every text form.
#[wasm_bindgen(js_name = textForms)]
pub fn text_forms() -> Array {
    list(TextForm::ALL, |form| {
        let width = form.width().map_or(JsValue::NULL, JsValue::from);
        let row = Row::new().with("name", form.name()).with("alphabet", form.alphabet());
        row.with("width", width).with("sortable", form.is_sortable())
    })
}

/// Returns the names of the kinds of fields.
#[wasm_bindgen]
pub fn kinds() -> Array {
    FieldKind::NAMED.iter().map(|kind| JsValue::from(kind.name())).collect()
}

/// Returns the limits that apply in every language.
#[wasm_bindgen]
pub fn limits() -> Row {
    Row::new()
        .with("maxNumber", MAX_NUMBER)
        .with("maxStep", MAX_STEP)
        .with("maxDistance", MAX_DISTANCE)
        .with("maxCount", MAX_COUNT as u32)
        .with("maxTagLength", MAX_TAG_LENGTH as u32)
}
