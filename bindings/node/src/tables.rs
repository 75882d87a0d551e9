//! Tables for JavaScript's constants, so that nothing is typed in twice.

use napi::bindgen_prelude::External;
use napi::bindgen_prelude::i64n;
use napi_derive::napi;
use snowmint::engine::{MAX_DISTANCE, MAX_NUMBER, MAX_STEP, Timestamp};
use snowmint::{ClockPolicy, Code, Layout, Preset, SequenceStart, TextForm, WhenBehind, WhenFull};

/// An error code.
#[napi(object, object_from_js = false)]
pub struct CodeRow {
    /// The frozen number.
    pub number: u32,
    /// The stable name.
    pub name: String,
    /// One sentence.
    pub summary: String,
}

/// Every error code, in rising order.
#[napi]
pub fn codes() -> Vec<CodeRow> {
    let row = |code: &Code| CodeRow {
        number: code.number(),
        name: code.name().to_owned(),
        summary: code.summary().to_owned(),
    };
    Code::ALL.iter().map(row).collect()
}

/// A clock policy.
#[napi(object, object_from_js = false)]
pub struct PolicyRow {
    /// The name in URLs.
    pub name: String,
    /// How far an ID's time may run ahead of the clock.
    pub max_ahead_ms: u32,
    /// `fail`, `wait`, `count_rollback` or `change_worker`.
    pub when_behind: String,
    /// The longest wait, where there is one.
    pub max_wait_ms: Option<u32>,
    /// `fail` or `wait`.
    pub when_full: String,
}

fn policy_row(name: &str, policy: ClockPolicy) -> PolicyRow {
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
    PolicyRow {
        name: name.to_owned(),
        max_ahead_ms: policy.max_ahead_ms,
        when_behind: when_behind.to_owned(),
        max_wait_ms,
        when_full: when_full.to_owned(),
    }
}

/// Every clock policy.
#[napi]
pub fn policies() -> Vec<PolicyRow> {
    ClockPolicy::ALL.iter().map(|(name, policy)| policy_row(name, *policy)).collect()
}

/// A preset.
#[napi(object, object_from_js = false)]
pub struct PresetRow {
    /// The name in URLs.
    pub name: String,
    /// One line on where it comes from.
    pub note: String,
    /// The layout.
    #[napi(ts_type = "object")]
    pub layout: External<Layout>,
    /// What its system does when the clock goes back or a tick is full.
    pub policy: PolicyRow,
    /// Where its system begins the sequence of a tick: `zero`, `vibrate:MAX`, ….
    pub start: String,
    /// Since when its system has such IDs.
    pub since_ms: i64n,
}

/// Every preset, in the order of `guess`.
#[napi]
pub fn presets() -> Vec<PresetRow> {
    let row = |preset: &Preset| PresetRow {
        name: preset.name.to_owned(),
        note: preset.note.to_owned(),
        layout: External::new(preset.layout),
        policy: policy_row("", preset.policy),
        start: start_text(preset.start),
        since_ms: i64n(preset.since_ms),
    };
    Preset::ALL.iter().map(row).collect()
}

fn start_text(start: SequenceStart) -> String {
    match start {
        SequenceStart::Zero => "zero".to_owned(),
        SequenceStart::Vibrate { max_offset } => format!("vibrate:{max_offset}"),
        SequenceStart::Random { below, .. } => format!("random:{below}"),
        SequenceStart::Rotate => "rotate".to_owned(),
        other => format!("{other:?}"),
    }
}

/// A text form.
#[napi(object, object_from_js = false)]
pub struct FormRow {
    /// The stable name.
    pub name: String,
    /// The digits' symbols, that of 0 first.
    pub alphabet: String,
    /// The number of symbols, where it is always the same.
    pub width: Option<u32>,
    /// Whether texts sort as their numbers.
    pub sortable: bool,
}

/// Every text form.
#[napi]
pub fn text_forms() -> Vec<FormRow> {
    let row = |form: &TextForm| FormRow {
        name: form.name().to_owned(),
        alphabet: form.alphabet().to_owned(),
        width: form.width(),
        sortable: form.is_sortable(),
    };
    TextForm::ALL.iter().map(row).collect()
}

/// Limits that everybody keeps.
#[napi(object, object_from_js = false)]
pub struct Limits {
    /// Where the numbers of a segment end: each is below it. In decimal.
    pub max_number: String,
    /// The largest step.
    pub max_step: u32,
    /// The most ranges a chain keeps.
    pub max_distance: u32,
    /// The most IDs of one call.
    pub max_count: u32,
    /// The longest tag.
    pub max_tag_length: u32,
}

/// The limits.
#[napi]
pub fn limits() -> Limits {
    Limits {
        max_number: MAX_NUMBER.to_string(),
        max_step: MAX_STEP as u32,
        max_distance: MAX_DISTANCE,
        max_count: snowmint::MAX_COUNT as u32,
        max_tag_length: snowmint::MAX_TAG_LENGTH as u32,
    }
}

/// The version of the addon.
#[napi]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// A moment as RFC 3339, also outside of what a `Date` holds.
#[napi]
pub fn timestamp(unix_ms: napi::bindgen_prelude::BigInt) -> String {
    Timestamp(unix_ms.get_i64().0).to_string()
}
