//! The statistics of sources.

use jni::objects::JObjectArray;
use jni::sys::jlong;
use snowmint::{Mint, Stats};

use crate::argument::{optional, rows};
use crate::exports::natives;
use crate::handle::get;
use crate::sources::Opened;

/// The value that stands for a number that does not apply.
const NONE: jlong = jlong::MIN;

/// Counts the numbers that Java holds as at hand. They belong to the range in use.
fn add_held(stats: &mut Stats, held: u64) {
    if let Some(in_use) = stats.buckets.first_mut() {
        in_use.left = in_use.left.saturating_add(held);
        let runway_ms = |rate: f64| (stats.at_hand() as f64 / rate * 1_000.0) as u64;
        stats.runway_ms = stats.rate.filter(|rate| *rate > 0.0).map(runway_ms);
    }
}

fn count(number: Option<u64>) -> jlong {
    number.map_or(NONE, |number| number as jlong)
}

fn numbers(stats: &Stats) -> Vec<jlong> {
    let failure = stats.last_failure.as_ref();
    let mut numbers = vec![
        stats.is_closed.into(),
        stats.worker_id.map_or(NONE, jlong::from),
        count(stats.lease_age_ms),
        stats.reserved_ms.unwrap_or(NONE),
        stats.reserve_ms.map_or(NONE, jlong::from),
        stats.clock_offset_ms.unwrap_or(NONE),
        count(stats.borrowed_ms),
        stats.rollbacks as jlong,
        count(stats.step),
        stats.rate.map_or(NONE, |rate| rate.to_bits() as jlong),
        count(stats.runway_ms),
        failure.map_or(NONE, |failure| failure.code.number().into()),
        failure.map_or(NONE, |failure| failure.unix_ms),
        failure.is_some_and(|failure| failure.is_over).into(),
        count(stats.tag_next.as_ref().map(|tag_next| tag_next.next)),
    ];
    let buckets = stats.buckets.iter();
    numbers.extend(buckets.flat_map(|bucket| [bucket.left as jlong, bucket.size as jlong]));
    numbers
}

natives! {
    /// Returns the kind, the last failure's message and the tag of the next number, the source's
    /// numbers, and those of each range.
    fn sourceStats(env, handle: jlong, held: jlong) -> JObjectArray<'local> {
        let mut stats = get::<Opened>(handle)?.source().stats();
        if let Some(held) = optional(held) {
            add_held(&mut stats, held);
        }
        let failure = stats.last_failure.as_ref();
        let message = failure.map_or("", |failure| &failure.message);
        let tag = stats.tag_next.as_ref().map_or("", |tag_next| tag_next.tag.as_str());
        rows(env, &[stats.kind, message, tag], &numbers(&stats))
    }
}
