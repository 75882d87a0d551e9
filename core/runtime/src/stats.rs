//! What a source says of itself.

use std::time::Duration;

use snowmint_engine::Code;

use crate::station::Trouble;

/// What a source is doing, at one moment. Asking changes nothing, calls no store and takes no lock
/// that a call of the store is made under.
///
/// What does not apply to a source is `None`, or empty.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// `snowflake`, `segment`, `daily`, `sequences` or `uuid`; of a ring that of its source.
    pub kind: &'static str,
    /// Whether it was closed.
    pub is_closed: bool,
    /// The worker ID that IDs are minted under.
    pub worker_id: Option<u32>,
    /// How long this process has had the worker ID, in milliseconds.
    pub lease_age_ms: Option<u64>,
    /// How much time is reserved ahead of the clock, in milliseconds: without the store, IDs can be
    /// minted for as long. 0 or less when it is used up; so it is of a fixed worker ID that nobody
    /// mints under, too, which gets more with its next ID.
    pub reserved_ms: Option<i64>,
    /// How much time the lease's last renewal reserved, in milliseconds; `None` of a fixed worker ID.
    /// The next renewal is due once a third of it is used.
    pub slab_ms: Option<u32>,
    /// What is added to the wall clock, in milliseconds: how far it is off from the store's clock,
    /// or a step of it that is not followed.
    pub clock_offset_ms: Option<i64>,
    /// How far the last ID's time is ahead of the clock, in milliseconds.
    pub borrowed_ms: Option<u64>,
    /// How often the clock went back and was counted in the layout's rollback bits.
    pub rollbacks: u64,
    /// The numbers at hand, the range in use first, and before it what is ready in a ring.
    pub buckets: Vec<Bucket>,
    /// How many numbers the next range will have.
    pub step: Option<u64>,
    /// Numbers a second between the last two ranges; `None` before there were two.
    pub rate: Option<f64>,
    /// How long what is at hand lasts at that rate, or what is reserved, in milliseconds.
    pub runway_ms: Option<u64>,
    /// The last thing that went wrong with the store.
    pub last_failure: Option<Failure>,
}

/// A range at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bucket {
    /// How many of its numbers are left.
    pub left: u64,
    /// How many it had.
    pub size: u64,
}

/// Something that went wrong with a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Its code.
    pub code: Code,
    /// What it said.
    pub message: String,
    /// When, in Unix milliseconds of this machine's clock.
    pub unix_ms: i64,
    /// Whether the store has answered since.
    pub is_over: bool,
}

impl Stats {
    pub(crate) fn of(kind: &'static str, is_closed: bool, trouble: Option<&Trouble>) -> Stats {
        let last_failure = trouble.and_then(|trouble| {
            let last = trouble.last()?;
            Some(Failure {
                code: last.error.code(),
                message: last.error.to_string(),
                unix_ms: last.unix_ms,
                is_over: trouble.present().is_none(),
            })
        });
        Stats { kind, is_closed, last_failure, ..Stats::default() }
    }

    /// How many numbers are at hand.
    pub fn at_hand(&self) -> u64 {
        self.buckets.iter().fold(0, |sum, bucket| sum.saturating_add(bucket.left))
    }
}

/// How fast numbers are used, from range to range.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    supplied: u64,
    /// When the last range came, in boot time, and how many numbers had been used by then.
    last: Option<(i64, u64)>,
    per_s: Option<f64>,
}

impl Pace {
    /// Notes a range of `count` numbers, `left` being at hand beside it.
    pub(crate) fn note(&mut self, count: u64, left: u64, boot_ms: i64) {
        let used = self.supplied.saturating_sub(left);
        if let Some((before_ms, used_before)) = self.last {
            let lasted_ms = boot_ms.saturating_sub(before_ms).max(1);
            let lasted = Duration::from_millis(lasted_ms.unsigned_abs());
            let count = used.saturating_sub(used_before);
            self.per_s = Some(count as f64 / lasted.as_secs_f64());
        }
        self.supplied = self.supplied.saturating_add(count);
        self.last = Some((boot_ms, used));
    }

    pub(crate) fn per_s(&self) -> Option<f64> {
        self.per_s
    }

    /// How long so many numbers last.
    pub(crate) fn runway_ms(&self, left: u64) -> Option<u64> {
        let per_s = self.per_s.filter(|per_s| *per_s > 0.0)?;
        // A conversion that saturates.
        Some((left as f64 / per_s * 1_000.0) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_what_was_used_between_two_ranges() {
        let mut pace = Pace::default();
        pace.note(100, 0, 1_000);
        assert_eq!((pace.per_s(), pace.runway_ms(100)), (None, None));
        pace.note(100, 20, 3_000);
        assert_eq!(pace.per_s(), Some(40.0));
        assert_eq!(pace.runway_ms(120), Some(3_000));
        pace.note(100, 120, 4_000);
        assert_eq!((pace.per_s(), pace.runway_ms(220)), (Some(0.0), None));
    }
}
