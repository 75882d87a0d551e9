//! Guesses of the presets that an ID may come from.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::Guess;

use crate::argument::{fixed, list, moment, text_or_none};
use crate::failure::{guard, snowmint_status};
use crate::layout::snowmint_parts;

/// A preset that an ID may come from, and the ID's parts in it.
#[repr(C)]
pub struct snowmint_guess {
    /// The preset's name.
    pub preset: [c_char; 32],
    /// The ID's parts in the preset's layout.
    pub parts: snowmint_parts,
    /// True if the text beside the ID names the system; otherwise many systems may have such an ID.
    pub named: bool,
    /// Empty if the guess is likely, otherwise the reason why it is not:
    ///
    /// - `ambiguous`: other systems that would give it another time fit as well.
    /// - `unlikely`: its bits are unusual there, or another system is far likelier.
    /// - `rare` or `expired`: the preset is.
    /// - `young`: it would be of the layout's first month.
    pub doubt: [c_char; 16],
}

/// Lists the presets that an ID may come from at a time (`SNOWMINT_NOW`: the present). Likely
/// guesses come first, and all of them have one time. If the first guess has a `doubt`, no preset
/// is likely. `beside` is the text that
/// stood beside the ID and may name its system: the key of its value (`guild_id`), its link, or a
/// column's name. It may be NULL. `count` receives the number of all guesses. The first of them, at
/// most `capacity`, are written to `guesses`, which may be NULL if `capacity` is 0.
///
/// Errors: only for invalid arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_guess_presets(
    id: u64,
    now_ms: i64,
    beside: *const c_char,
    guesses: *mut snowmint_guess,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> snowmint_status {
    guard(|| {
        // SAFETY: as the header asks.
        let beside = unsafe { text_or_none(beside, "beside") }?.unwrap_or_default();
        let found: Vec<Guess> = snowmint::guess_beside(id, moment(now_ms), beside).collect();
        let records = found.into_iter().map(|guess| snowmint_guess {
            preset: fixed(guess.preset.name),
            parts: guess.parts.into(),
            named: guess.named,
            doubt: fixed(guess.doubt.map_or("", |doubt| doubt.name())),
        });
        // SAFETY: as the header asks.
        unsafe { list(records, guesses, capacity, count) }
    })
}
