//! Names of layouts, policies and the like, and IDs, as users write them in source URLs, in
//! configuration and in every language.

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{ClockPolicy, Layout, Preset, SequenceStart, TextForm, detect};

use crate::error::{Error, Result};
use crate::errors;
use crate::host::{Random, System};
use crate::url::{invalid, meant};

/// The layout of a text: the name of a preset (`twitter`), or fields from the top bit down
/// (`time:41,worker:10,sequence:12`) with ticks of 1 ms since 1970. A layout's own text adds the
/// epoch and the tick (`…@1288834974657/1`).
///
/// # Errors
/// [`Code::UnknownLayout`], [`Code::InvalidLayout`].
pub fn layout(text: &str) -> Result<Layout> {
    Layout::named(text)?.ok_or_else(|| unknown_layout(text))
}

/// The preset with a name.
///
/// # Errors
/// [`Code::UnknownLayout`].
pub fn preset(name: &str) -> Result<&'static Preset> {
    Preset::from_name(name).ok_or_else(|| unknown_layout(name))
}

fn unknown_layout(name: &str) -> Error {
    let known: Vec<_> = Preset::ALL.iter().map(|preset| preset.name).collect();
    let meant = meant(name, known.iter().copied());
    errors::layout_unknown(name, &meant, &known)
}

/// The ID of a text in a form, or without one in the form that [`detect`] tells. Where the text
/// shows why it is none, such as digits that a spreadsheet rounded or an ID of another kind, the
/// error says so.
///
/// # Errors
/// Those of [`TextForm::parse`]: [`Code::TextLength`], [`Code::InvalidText`],
/// [`Code::TextOverflow`], [`Code::TextCheck`]; [`Code::UnknownTextForm`] if no form is told.
pub fn id(text: &str, form: Option<TextForm>) -> Result<u64> {
    let read = match form.or_else(|| detect(text)) {
        Some(form) => form.parse(text).map_err(Error::from),
        None => Err(errors::text_form_not_detected(text)),
    };
    read.map_err(|error| match snowmint_reading::advice(text) {
        Some(advice) => Error::new(error.code(), advice),
        None => error,
    })
}

/// The clock policy with a name.
///
/// # Errors
/// [`Code::InvalidParameter`].
pub fn policy(name: &str) -> Result<ClockPolicy> {
    ClockPolicy::from_name(name).ok_or_else(|| {
        let known: Vec<_> = ClockPolicy::ALL.iter().map(|(name, _)| *name).collect();
        invalid("policy", name, &format!("one of {}", known.join(", ")))
    })
}

/// The sequence start written as `zero`, `vibrate:MAX`, `random:BELOW` or `rotate`. A random start
/// gets its seed from the operating system.
///
/// # Errors
/// [`Code::InvalidParameter`].
pub fn sequence_start(text: &str) -> Result<SequenceStart> {
    match text.parse() {
        Ok(SequenceStart::Random { below, .. }) => {
            let mut seed = [0; 8];
            System.fill(&mut seed)?;
            Ok(SequenceStart::Random { below, seed: u64::from_le_bytes(seed) })
        }
        Ok(start) => Ok(start),
        Err(_) => Err(invalid("start", text, "zero, vibrate:MAX, random:BELOW or rotate")),
    }
}
