//! Tables for JavaScript's constants, which therefore are defined only once.

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
    /// The summary in one sentence.
    pub summary: String,
}

/// Returns every error code, in ascending order.
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
    /// The most milliseconds by which an ID's time may be ahead of the clock.
    pub max_ahead_ms: u32,
    /// The rule for a clock that is behind: `fail`, `wait`, `count_rollback` or `change_worker`.
    pub when_behind: String,
    /// The longest wait in milliseconds, if the policy has one.
    pub max_wait_ms: Option<u32>,
    /// The rule for a full tick: `fail` or `wait`.
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

/// Returns every clock policy.
#[napi]
pub fn policies() -> Vec<PolicyRow> {
    ClockPolicy::ALL.iter().map(|(name, policy)| policy_row(name, *policy)).collect()
}

/// A preset.
#[napi(object, object_from_js = false)]
pub struct PresetRow {
    /// The name in URLs.
    pub name: String,
    /// The origin, on one line.
    pub note: String,
    /// The layout.
    #[napi(ts_type = "object")]
    pub layout: External<Layout>,
    /// The reaction of the preset's system if the clock goes back or a tick is full.
    pub policy: PolicyRow,
    /// The rule for where the system begins a tick's sequence: `zero`, `vibrate:MAX`, ….
    pub start: String,
    /// The Unix millisecond since which the system has such IDs.
    pub since_ms: i64n,
}

/// Returns every preset, in the order of `guess`.
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
    /// The symbols of the digits, from 0 up.
    pub alphabet: String,
    /// The number of symbols, if it is constant.
    pub width: Option<u32>,
    /// True if texts sort like their numbers.
    pub sortable: bool,
}

/// Returns every text form.
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

/// Limits that apply in every language.
#[napi(object, object_from_js = false)]
pub struct Limits {
    /// The end of a segment's numbers, in decimal digits. Each number is below it.
    pub max_number: String,
    /// The largest step.
    pub max_step: u32,
    /// The largest number of ranges in a chain.
    pub max_distance: u32,
    /// The largest number of IDs in one call.
    pub max_count: u32,
    /// The length of the longest tag.
    pub max_tag_length: u32,
}

/// Returns the limits.
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

/// Returns the version of the addon.
#[napi]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Returns a time as RFC 3339, also outside of the range of a `Date`.
#[napi]
pub fn timestamp(unix_ms: napi::bindgen_prelude::BigInt) -> String {
    Timestamp(unix_ms.get_i64().0).to_string()
}
