//! Which presets an ID may come from.

use crate::id::Parts;
use crate::preset::Preset;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Systems were not busy in their epoch's first month; small numbers decode to it in every layout.
const YOUNG_MS: i64 = 30 * DAY_MS;

/// A preset an ID may come from, and what the ID says there.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Guess {
    /// The preset.
    pub preset: &'static Preset,
    /// The ID's parts in its layout.
    pub parts: Parts,
    penalty: u32,
}

/// The plausible presets of an ID, likeliest first.
#[derive(Clone, Debug)]
pub struct Guesses {
    id: u64,
    now_ms: i64,
    /// The least penalty of those left.
    from: u32,
}

/// The presets `id` may come from at `now_ms`, likeliest first.
///
/// Plausible are those whose constant bits agree and whose time is not more than a day ahead of
/// `now_ms`. Likelier are times more than a month after the layout's epoch, small sequence
/// numbers and small worker IDs, since that is what real generators give; between equals the
/// order of [`Preset::ALL`] decides. Last come times before the system had such IDs
/// ([`Preset::since_ms`]), which only an imported record has. It is a guess: many layouts share
/// their bits.
pub fn guess(id: u64, now_ms: i64) -> Guesses {
    Guesses { id, now_ms, from: 0 }
}

fn plausible(id: u64, preset: &'static Preset, rank: u32, now_ms: i64) -> Option<Guess> {
    let layout = &preset.layout;
    let parts = layout.decode(id).ok()?;
    if parts.unix_ms > now_ms.saturating_add(DAY_MS) {
        return None;
    }
    let age_ms = parts.unix_ms.saturating_sub(layout.epoch_ms());
    let young = if age_ms < YOUNG_MS { 4_u32 } else { 0 };
    // More than everything else together.
    let unborn = if parts.unix_ms < preset.since_ms { 8_u32 } else { 0 };
    let unlikely = unborn
        .saturating_add(young)
        .saturating_add(share(u64::from(parts.sequence), layout.sequence().max()))
        .saturating_add(share(u64::from(parts.worker_id), u64::from(layout.max_worker_id())));
    Some(Guess { preset, parts, penalty: unlikely.saturating_mul(1000).saturating_add(rank) })
}

/// 0 for a value in the lower half of its field or a field without values, else 1.
fn share(value: u64, max: u64) -> u32 {
    u32::from(max > 0 && value > max / 2)
}

impl Iterator for Guesses {
    type Item = Guess;

    fn next(&mut self) -> Option<Guess> {
        // No two penalties are equal: the rank is a part of each.
        let plausible = |(rank, preset)| plausible(self.id, preset, rank as u32, self.now_ms);
        let guesses = Preset::ALL.iter().enumerate().filter_map(plausible);
        let left = guesses.filter(|guess| guess.penalty >= self.from);
        let likeliest = left.min_by_key(|guess| guess.penalty)?;
        self.from = likeliest.penalty.saturating_add(1);
        Some(likeliest)
    }
}
