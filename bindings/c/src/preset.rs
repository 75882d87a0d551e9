//! The presets, and which of them an ID may come from.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::{Clock as _, Parts, Preset, System};

use crate::argument::{fixed, invalid, list, out};
use crate::failure::{guard, snowmint_status};
use crate::layout::snowmint_parts;
use crate::policy::{snowmint_policy, snowmint_start};

/// Stands for the present time.
const NOW: i64 = i64::MIN;

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

/// A preset that an ID may come from, and what the ID says there.
#[repr(C)]
pub struct snowmint_guess {
    /// The preset's name.
    pub preset: [c_char; 32],
    /// The ID's parts in its layout.
    pub parts: snowmint_parts,
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
        let preset = preset.ok_or_else(|| invalid(format!("no preset has the index {index}")))?;
        place.write(snowmint_preset {
            name: fixed(preset.name),
            note: fixed(preset.note),
            policy: preset.policy.into(),
            start: preset.start.into(),
        });
        Ok(())
    })
}

/// Lists the presets that an ID may come from at a time (`SNOWMINT_NOW`: the present), likeliest
/// first. `count` receives how many there are; the first of them, at most `capacity`, are written to
/// `guesses`, which may be NULL if that is 0. It is a guess: many layouts share their bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_guess_presets(
    id: u64,
    now_ms: i64,
    guesses: *mut snowmint_guess,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> snowmint_status {
    guard(|| {
        let now_ms = if now_ms == NOW { System.now_ms() } else { now_ms };
        let found: Vec<(&str, Parts)> =
            snowmint::guess(id, now_ms).map(|guess| (guess.preset.name, guess.parts)).collect();
        let records = found
            .into_iter()
            .map(|(name, parts)| snowmint_guess { preset: fixed(name), parts: parts.into() });
        // SAFETY: as the header asks.
        unsafe { list(records, guesses, capacity, count) }
    })
}
