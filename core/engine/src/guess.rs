//! Which presets an ID may come from.

use crate::id::Parts;
use crate::preset::Preset;

mod beside;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Systems were not busy in their epoch's first month, and every small number decodes to it in
/// every layout: it tells no time.
const YOUNG_MS: i64 = 30 * DAY_MS;
/// The systems whose IDs are met far more often than any other's: so many of [`Preset::ALL`], and
/// others come so many places later.
const COMMON: (usize, usize) = (4, 6);
/// Each preset has a bit.
const _: () = assert!(Preset::ALL.len() <= 32);

/// A preset an ID may come from, and what the ID says there.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Guess {
    /// The preset.
    pub preset: &'static Preset,
    /// The ID's parts in its layout.
    pub parts: Parts,
    /// Whether what stood beside the ID names the system.
    pub named: bool,
    penalty: u32,
}

/// The plausible presets of an ID, likeliest first.
#[derive(Clone, Debug)]
pub struct Guesses {
    id: u64,
    now_ms: i64,
    /// The presets that are named beside the ID, by their place in the table.
    named: u32,
    /// The least penalty of those left.
    from: u32,
}

/// The presets `id` may come from at `now_ms`, likeliest first. It is a guess: many layouts share
/// their bits.
///
/// Plausible are those whose constant bits agree, and whose time is not more than a day ahead of
/// `now_ms`, not before the system had such IDs ([`Preset::since_ms`]), and not in the month after
/// the layout's epoch, where every small number is. So there may be none. Likelier are few ticks
/// in all, small sequence numbers and small worker IDs, since that is what real generators give;
/// then the order of [`Preset::ALL`] counts.
pub fn guess(id: u64, now_ms: i64) -> Guesses {
    guess_beside(id, now_ms, "")
}

/// The same of an ID beside which a text stood: the key of its value (`guild_id`), its link
/// (`https://discord.com/…`), a column's name. The systems that it names (each has some) come
/// first, if they are plausible.
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
    // How many bits it takes to say which of the system's IDs this is.
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
    // No two are equal, so that each is found once.
    let penalty = penalty.saturating_mul(32).saturating_add(rank as u32);
    Some(Guess { preset, parts, named, penalty })
}

fn bits_of(number: u64) -> u32 {
    u64::BITS.saturating_sub(number.leading_zeros())
}

/// The bit of a place in the table.
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
