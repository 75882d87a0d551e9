//! Guesses which presets an ID may come from.

use crate::id::Parts;
use crate::preset::Preset;

mod beside;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// No plausible ID is younger than this after its layout's epoch: systems were not busy in the
/// first month, and every small number decodes to that month in every layout.
const YOUNG_MS: i64 = 30 * DAY_MS;
/// The number of entries of [`Preset::ALL`] that are far more common, and the others' extra ranks.
const COMMON: (usize, usize) = (4, 6);
/// Each preset needs a bit of a `u32`.
const _: () = assert!(Preset::ALL.len() <= 32);

/// A preset that an ID may come from, and the ID's parts in it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Guess {
    /// The preset.
    pub preset: &'static Preset,
    /// The ID's parts in its layout.
    pub parts: Parts,
    /// True if the text beside the ID names the system.
    pub named: bool,
    penalty: u32,
}

/// The plausible presets of an ID, likeliest first.
#[derive(Clone, Debug)]
pub struct Guesses {
    id: u64,
    now_ms: i64,
    /// The presets that the text beside the ID names, a bit for each index in the table.
    named: u32,
    /// The smallest penalty of the guesses that are left.
    from: u32,
}

/// Returns the presets that `id` may come from at `now_ms` (Unix milliseconds), likeliest first. It
/// is only a guess, because many layouts share their bits.
///
/// A preset is plausible if its constant bits match, and the decoded time passes three checks. It
/// is at most a day after `now_ms`, not before the system made such IDs ([`Preset::since_ms`]), and
/// not in the month after the layout's epoch, where every small number is. There may be none.
///
/// Few ticks in all, small sequence numbers and small worker IDs make a preset likelier, because
/// real generators produce such IDs. Otherwise the order of [`Preset::ALL`] decides.
pub fn guess(id: u64, now_ms: i64) -> Guesses {
    guess_beside(id, now_ms, "")
}

/// Returns guesses for an ID that was found beside a text: for example the key of its value
/// (`guild_id`), its link (`https://discord.com/…`) or a column's name. The systems that the text
/// names come first, if they are plausible.
pub fn guess_beside(id: u64, now_ms: i64, beside: &str) -> Guesses {
    Guesses { id, now_ms, named: beside::named(beside), from: 0 }
}

fn plausible(guesses: &Guesses, preset: &'static Preset, rank: usize) -> Option<Guess> {
    let layout = &preset.layout;
    let parts = layout.decode(guesses.id).ok()?;
    let first_ms = preset.since_ms.max(layout.epoch_ms().saturating_add(YOUNG_MS));
    if parts.unix_ms < first_ms || parts.unix_ms > guesses.now_ms.saturating_add(DAY_MS) {
        return None;
    }
    // The number of bits that it takes to tell which of the system's IDs this is.
    let age_ms = guesses.now_ms.saturating_sub(layout.epoch_ms()).max(0).unsigned_abs();
    let ticks = age_ms.checked_div(u64::from(layout.tick_ms())).unwrap_or_default();
    let bits = bits_of(ticks)
        .saturating_add(bits_of(parts.worker_id.into()))
        .saturating_add(bits_of(parts.sequence.into()));
    let rare = rank.saturating_add(if rank < COMMON.0 { 0 } else { COMMON.1 });
    let named = guesses.named & bit(rank) != 0;
    // More than everything else together.
    let unnamed = if named { 0 } else { 1000 };
    let penalty = bits.saturating_mul(2).saturating_add(rare as u32).saturating_add(unnamed);
    // No two penalties are equal, so that the iterator returns each guess once.
    let penalty = penalty.saturating_mul(32).saturating_add(rank as u32);
    Some(Guess { preset, parts, named, penalty })
}

fn bits_of(number: u64) -> u32 {
    u64::BITS.saturating_sub(number.leading_zeros())
}

/// Returns the bit of an index in the table.
const fn bit(rank: usize) -> u32 {
    1_u32.wrapping_shl(rank as u32)
}

impl Iterator for Guesses {
    type Item = Guess;

    fn next(&mut self) -> Option<Guess> {
        let plausible = |(rank, preset)| plausible(self, preset, rank);
        let guesses = Preset::ALL.iter().enumerate().filter_map(plausible);
        let left = guesses.filter(|guess| guess.penalty >= self.from);
        let likeliest = left.min_by_key(|guess| guess.penalty)?;
        self.from = likeliest.penalty.saturating_add(1);
        Some(likeliest)
    }
}
