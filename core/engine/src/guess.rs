//! Guesses which presets an ID may come from.

use crate::id::Parts;
use crate::preset::Preset;

mod beside;
mod evidence;
mod none;

pub use none::{NoneLikely, Unfit};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// A guess in this time after its layout's epoch is doubted. Systems were not busy then, and
/// numbers of 13 to 16 digits decode to that month in most layouts.
const YOUNG_MS: i64 = 30 * DAY_MS;
const PRESETS: usize = Preset::ALL.len();
/// Each preset needs a bit of a `u32`.
const _: () = assert!(PRESETS <= 32);

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
    /// The reason why the guess is not likely, or `None` if it is. All likely guesses of an ID have
    /// the same time.
    pub doubt: Option<Doubt>,
    /// The number of bits that it takes to say which ID this is, of which system.
    cost: u32,
    /// The index in the table.
    rank: usize,
    /// True if the system is common, and the ID's bits are as usual there.
    usual: bool,
}

/// The reason why a guess is not likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Doubt {
    /// Systems that have such IDs would give it another time, and its bits do not decide.
    Ambiguous,
    /// Its bits are unusual for the system, or another system is far likelier.
    Unlikely,
    /// Few have this layout. Only a text that names the system makes it likely.
    Rare,
    /// The layout has expired, so that no new ID is from it.
    Expired,
    /// It would be from the layout's first month, in which all numbers of 13 to 16 digits are.
    Young,
}

impl Doubt {
    /// Every doubt, in the order of guesses.
    pub const ALL: &'static [Doubt] =
        &[Doubt::Ambiguous, Doubt::Unlikely, Doubt::Rare, Doubt::Expired, Doubt::Young];

    /// Returns the stable name, the same in every language.
    pub const fn name(self) -> &'static str {
        match self {
            Doubt::Ambiguous => "ambiguous",
            Doubt::Unlikely => "unlikely",
            Doubt::Rare => "rare",
            Doubt::Expired => "expired",
            Doubt::Young => "young",
        }
    }
}

/// The plausible presets of an ID: likely guesses first, then the doubtful ones.
#[derive(Clone, Debug)]
pub struct Guesses {
    id: u64,
    now_ms: i64,
    sorted: [Option<Guess>; PRESETS],
    next: usize,
}

/// Returns the presets that `id` may come from at `now_ms` (Unix milliseconds). Likely guesses come
/// first. The others have a [`doubt`](Guess::doubt). If the first guess has one, no preset is
/// likely, and [`Guesses::none_likely`] says why.
///
/// A preset is plausible if its constant bits match, and the decoded time passes three checks. It
/// is at most a day after `now_ms`, not before the system made such IDs ([`Preset::since_ms`]), and
/// not in the day after the layout's epoch, where every small number is. There may be none.
///
/// A plausible preset is likely if its system is common, the ID's other bits are as usual there,
/// and no other system explains the ID nearly as well with another time.
pub fn guess(id: u64, now_ms: i64) -> Guesses {
    guess_beside(id, now_ms, "")
}

/// Returns guesses for an ID that was found beside a text: for example the key of its value
/// (`guild_id`), its link (`https://discord.com/…`) or a column's name. The systems that the text
/// names are likely, if they are plausible. Only its first 500 bytes count.
pub fn guess_beside(id: u64, now_ms: i64, beside: &str) -> Guesses {
    let named = beside::named(beside);
    let mut sorted = [None; PRESETS];
    for (rank, (place, preset)) in sorted.iter_mut().zip(Preset::ALL).enumerate() {
        *place = plausible(preset, rank, id, now_ms, named & bit(rank) != 0);
    }
    let likely_ms = evidence::decide(&sorted, evidence::of_others(id, now_ms));
    for guess in sorted.iter_mut().flatten() {
        guess.doubt = doubt(guess, likely_ms, now_ms);
    }
    sorted.sort_unstable_by_key(|guess| {
        guess.map(Guess::order).map_or((true, None), |order| (false, Some(order)))
    });
    Guesses { id, now_ms, sorted, next: 0 }
}

/// Returns the guess of one preset, or `None` if it is not plausible.
fn plausible(
    preset: &'static Preset,
    rank: usize,
    id: u64,
    now_ms: i64,
    named: bool,
) -> Option<Guess> {
    let parts = fitting(preset, id, now_ms).ok()?;
    let (cost, usual) = evidence::of(preset, id, &parts, now_ms);
    let layout = &preset.layout;
    let is_young = parts.unix_ms < layout.epoch_ms().saturating_add(YOUNG_MS);
    let usual = usual && !is_young && layout.expires_ms() > now_ms;
    Some(Guess { preset, parts, named, doubt: None, cost, rank, usual })
}

/// Returns the parts of an ID if its bits and its time fit a preset.
fn fitting(preset: &Preset, id: u64, now_ms: i64) -> Result<Parts, Unfit> {
    let parts = preset.layout.decode(id).map_err(|_| Unfit::Bits)?;
    if parts.unix_ms < preset.layout.epoch_ms().saturating_add(DAY_MS) {
        Err(Unfit::Small)
    } else if parts.unix_ms > now_ms.saturating_add(DAY_MS) {
        Err(Unfit::Future)
    } else if parts.unix_ms < preset.since_ms {
        Err(Unfit::Early)
    } else {
        Ok(parts)
    }
}

/// Returns the doubt about a guess, where `likely_ms` is the time of the likely guesses, if any.
fn doubt(guess: &Guess, likely_ms: Option<i64>, now_ms: i64) -> Option<Doubt> {
    let layout = &guess.preset.layout;
    if likely_ms == Some(guess.parts.unix_ms) {
        None
    } else if guess.parts.unix_ms < layout.epoch_ms().saturating_add(YOUNG_MS) {
        Some(Doubt::Young)
    } else if layout.expires_ms() <= now_ms {
        Some(Doubt::Expired)
    } else if likely_ms.is_none() && (guess.usual || guess.named) {
        Some(Doubt::Ambiguous)
    } else if evidence::is_common(guess.preset) {
        Some(Doubt::Unlikely)
    } else {
        Some(Doubt::Rare)
    }
}

/// Returns the bit of an index in the table.
const fn bit(rank: usize) -> u32 {
    1_u32.wrapping_shl(rank as u32)
}

impl Guess {
    /// Returns the key by which guesses are sorted: named systems first, then those without doubt.
    fn order(self) -> (bool, Option<Doubt>, u32, usize) {
        (!self.named, self.doubt, self.cost, self.rank)
    }
}

impl Iterator for Guesses {
    type Item = Guess;

    fn next(&mut self) -> Option<Guess> {
        let guess = (*self.sorted.get(self.next)?)?;
        self.next = self.next.saturating_add(1);
        Some(guess)
    }
}
