//! Weighs how well systems explain an ID.
//!
//! The cost of a system is the number of bits that it takes to say which of its IDs this is. The
//! time costs more if the system is old, and other bits cost less if its IDs have few values there.
//! An ID that was made a moment ago costs less, because people look at such IDs more often. A
//! system that is rare costs more. A system that costs one bit less is twice as likely.

use super::{DAY_MS, Guess};
use crate::id::Parts;
use crate::layout::Layout;
use crate::preset::Preset;

/// A likely guess costs so many bits less than everything else.
const MARGIN: u32 = 5;
/// The extra cost of bits that are not as usual.
const UNUSUAL: u32 = 6;
/// The extra cost of a preset that is not in [`SYSTEMS`].
const RARE: u32 = 12;
/// The extra cost of a time that is told by how long ago it is.
const RECENT: u32 = 10;
/// The largest worker ID and the largest sequence number that libraries usually issue.
const LIBRARY: (u32, u32) = (31, 255);
/// Presets with Twitter's epoch, which are likely if Twitter's is.
const TWITTERS: &[&str] = &["leaf", "bwmarrin"];

/// The values of some bits in a system's IDs: shift, width, smallest and largest.
type Values = (u32, u32, u64, u64);

/// Systems with many IDs: their extra cost, and the habits of their IDs, of which a usual ID has
/// one. The habits are those of IDs in public documents and code, as in
/// `tests/vectors/guesses.json`. A system without habits is never recognised without a name.
#[rustfmt::skip]
const SYSTEMS: &[(&str, u32, &[&[Values]])] = &[
    ("twitter", 0, &[
        // Since 2014 the datacenters are 10, 11 and 13. Since 2022, bursts use sequences to 511.
        &[(17, 5, 10, 13), (0, 12, 0, 3)],
        &[(17, 5, 10, 13), (0, 12, 0, 511)],
        // Tweets before 2014, and libraries that take a worker ID from the machine.
        &[(0, 12, 0, 3)],
    ]),
    ("discord", 0, &[&[(17, 5, 0, 9), (12, 5, 0, 8), (0, 12, 0, 255)]]),
    ("instagram", 0, &[&[]]),
    ("mastodon", 1, &[&[]]),
    // LinkedIn hardly ever has two IDs of one worker in a millisecond. Libraries number workers.
    ("unix-ms", 0, &[&[(0, 12, 0, 7)], &[(18, 4, 0, 0), (0, 12, 0, 255)]]),
    // Below the seconds: milliseconds (10 bits), a counter (8), the kind of object (6), others (8).
    // The kinds are videos, articles and users.
    ("tiktok", 0, &[
        &[(18, 4, 0, 0), (6, 6, 52, 52)],
        &[(18, 4, 0, 0), (6, 6, 8, 8)],
        &[(18, 4, 0, 7), (6, 6, 16, 16)],
    ]),
    // Since 2020: a data centre, and a number below 8192.
    ("weibo", 0, &[&[(18, 4, 6, 11), (13, 5, 0, 0)]]),
    ("bilibili", 3, &[&[(28, 4, 0, 0), (8, 8, 0, 0)]]),
    // Its worker IDs come from the network card and stand on top, so that its IDs are everywhere.
    ("seata", 0, &[]),
];

/// Returns true if an ID of a preset can be recognised without a name.
pub(super) fn is_common(preset: &Preset) -> bool {
    SYSTEMS.iter().any(|&(name, _, habits)| name == preset.name && !habits.is_empty())
        || TWITTERS.contains(&preset.name)
}

/// Returns the cost of an ID of a preset, and whether the ID is as usual in a common system.
pub(super) fn of(preset: &Preset, id: u64, parts: &Parts, now_ms: i64) -> (u32, bool) {
    let layout = &preset.layout;
    let ticks = |ms: u64| ms.checked_div(u64::from(layout.tick_ms())).unwrap_or_default();
    let since_ms = now_ms.saturating_sub(preset.since_ms).max(0).unsigned_abs();
    let ago_ms = now_ms.abs_diff(parts.unix_ms);
    let is_recent = ago_ms < DAY_MS.unsigned_abs() && is_common(preset);
    let recent = bits_of(ticks(ago_ms)).saturating_add(RECENT);
    let time = bits_of(ticks(since_ms)).min(if is_recent { recent } else { u32::MAX });
    let (worker, sequence) = (layout.worker_bits(), layout.sequence().bits());
    let free = worker.saturating_add(sequence).saturating_add(layout.rollback().bits());
    let unusual = free.saturating_add(UNUSUAL);
    let system = SYSTEMS.iter().find(|&&(name, ..)| name == preset.name);
    let (usual, extra, is_usual) = match system {
        Some(&(_, extra, habits)) => {
            let usual = habits.iter().filter_map(|habit| cost_in(habit, id, free)).min();
            (usual, extra, usual.is_some() || is_recent)
        }
        None => {
            let is_small = parts.worker_id <= LIBRARY.0 && parts.sequence <= LIBRARY.1;
            let small = worker.min(5).saturating_add(sequence.min(8));
            (is_small.then_some(small), RARE, false)
        }
    };
    (time.saturating_add(usual.unwrap_or(unusual)).saturating_add(extra), is_usual)
}

/// Returns the cost of an ID's bits beside the time if it has a habit, where `free` bits can vary.
fn cost_in(habit: &[Values], id: u64, free: u32) -> Option<u32> {
    habit.iter().try_fold(free, |cost, &(shift, width, least, most)| {
        let mask = 1_u64.wrapping_shl(width).wrapping_sub(1);
        let has = (least..=most).contains(&(id.wrapping_shr(shift) & mask));
        let bits = bits_of(most.saturating_sub(least));
        has.then(|| cost.saturating_sub(width).saturating_add(bits))
    })
}

/// Returns the cost of an ID that is of no preset.
pub(super) fn of_others(id: u64, now_ms: i64) -> u32 {
    of_a_library(id, now_ms).min(of_a_clock(id, now_ms))
}

/// Returns the cost of an ID of a library with fields like Twitter's, whose epoch the user chose.
/// Hardly anybody chooses one before Twitter's.
fn of_a_library(id: u64, now_ms: i64) -> u32 {
    let (time_ms, worker, sequence) = (id >> 22, id >> 12 & 1023, id & 4095);
    let age_ms = now_ms.saturating_sub(Layout::TWITTER.epoch_ms()).max(0).unsigned_abs();
    let bits: u32 = match sequence {
        0..=3 => 12,
        4..=255 if worker <= u64::from(LIBRARY.0) => 13,
        _ => 22,
    };
    bits.saturating_add(if time_ms <= age_ms { 43 } else { 47 })
}

/// Returns the cost of a number that is the present in nanoseconds, or within ten years before. The
/// time in microseconds and 10 other bits, as of an AT Protocol TID, is in the same range.
fn of_a_clock(id: u64, now_ms: i64) -> u32 {
    const TEN_YEARS_MS: u64 = 315_576_000_000;
    let now_ms = now_ms.max(0).unsigned_abs();
    let latest_ms = now_ms.saturating_add(now_ms / 40);
    let is_near = (now_ms.saturating_sub(TEN_YEARS_MS)..=latest_ms).contains(&(id / 1_000_000));
    match id {
        _ if !is_near => u32::MAX,
        _ if id.is_multiple_of(1_000_000) => 40,
        _ if id.is_multiple_of(1000) => 50,
        _ => 60,
    }
}

/// Returns the time of the likely guesses, or `None` if no guess is likely. If some are named, the
/// others do not count. `others` is the cost of an ID that is of no preset.
pub(super) fn decide(guesses: &[Option<Guess>], others: u32) -> Option<i64> {
    let guesses = || guesses.iter().flatten();
    let is_named = guesses().any(|guess| guess.named);
    let may_lead = |guess: &&Guess| if is_named { guess.named } else { guess.usual };
    let first = guesses().filter(may_lead).min_by_key(|guess| guess.cost)?;
    let counts = |guess: &&Guess| guess.named || !is_named;
    let rivals =
        guesses().filter(counts).filter(|rival| rival.parts.unix_ms != first.parts.unix_ms);
    let others = (!is_named).then_some(others);
    let rival = rivals.map(|rival| rival.cost).chain(others).min().unwrap_or(u32::MAX);
    (rival >= first.cost.saturating_add(MARGIN)).then_some(first.parts.unix_ms)
}

fn bits_of(number: u64) -> u32 {
    u64::BITS.saturating_sub(number.leading_zeros())
}
