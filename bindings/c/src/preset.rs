//! The presets, and how their systems mint.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::Preset;

use crate::argument::{fixed, out};
use crate::errors;
use crate::failure::{guard, snowmint_status};
use crate::policy::{snowmint_policy, snowmint_start};

/// A named layout, and how its system uses it.
#[repr(C)]
pub struct snowmint_preset {
    /// The name.
    pub name: [c_char; 32],
    /// One line on where it comes from and what to know of it.
    pub note: [c_char; 128],
    /// What its system does when the clock goes back or a tick is full.
    pub policy: snowmint_policy,
    /// Where its system begins the sequence of a fresh tick.
    pub start: snowmint_start,
}

/// How many presets there are.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_preset_count() -> usize {
    Preset::ALL.len()
}

/// Gives the preset at an index from 0 on.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` past the last.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_preset_at(
    index: usize,
    preset: Option<&mut MaybeUninit<snowmint_preset>>,
) -> snowmint_status {
    guard(|| {
        let place = out(preset, "preset")?;
        let preset = Preset::ALL.get(index);
        let preset = preset.ok_or_else(|| errors::preset_missing(index))?;
        place.write(snowmint_preset {
            name: fixed(preset.name),
            note: fixed(preset.note),
            policy: preset.policy.into(),
            start: preset.start.into(),
        });
        Ok(())
    })
}
