//! The presets, with the policies of their systems.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::Preset;

use crate::argument::fixed;
use crate::errors;
use crate::failure::{give, snowmint_status};
use crate::policy::{snowmint_policy, snowmint_start};

/// A named layout, with the policy and the sequence start of its system.
#[repr(C)]
pub struct snowmint_preset {
    /// The name.
    pub name: [c_char; 32],
    /// One line about its origin and its peculiarities.
    pub note: [c_char; 128],
    /// The reaction of its system to a clock that goes back or a full tick.
    pub policy: snowmint_policy,
    /// The start of a fresh tick's sequence in its system.
    pub start: snowmint_start,
}

/// Returns the number of presets.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_preset_count() -> usize {
    Preset::ALL.len()
}

/// Gets the preset at an index from 0 on.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` past the last index.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_preset_at(
    index: usize,
    preset: Option<&mut MaybeUninit<snowmint_preset>>,
) -> snowmint_status {
    give(preset, "preset", || {
        let preset = Preset::ALL.get(index);
        let preset = preset.ok_or_else(|| errors::preset_missing(index))?;
        Ok(snowmint_preset {
            name: fixed(preset.name),
            note: fixed(preset.note),
            policy: preset.policy.into(),
            start: preset.start.into(),
        })
    })
}
