//! Names of layouts, policies and the like, as users write them in source URLs, in configuration
//! and in every language.

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{ClockPolicy, Layout, Preset, SequenceStart};

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
