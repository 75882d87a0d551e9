//! The state of a source, as it reports it.

use std::time::Duration;

use snowmint_engine::Code;

use crate::retry::RetryState;
use crate::store::Tag;

/// The state of a source at one moment. Reading it changes nothing, calls no store and takes no
/// lock that is held during a call of the store.
///
/// A value that does not apply to a source is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// `snowflake`, `segment`, `daily`, `sequences` or `uuid`; for a ring, the kind of its source.
    pub kind: &'static str,
    /// True once the source was closed.
    pub is_closed: bool,
    /// The worker ID that IDs are minted under.
    pub worker_id: Option<u32>,
    /// The time that this process has had the worker ID, in milliseconds.
    pub lease_age_ms: Option<u64>,
    /// The time reserved ahead of the clock, in milliseconds: IDs can be minted that long without
    /// the store. It is 0 or less when that time is used up. It also is for a fixed worker ID that
    /// is idle, which gets more time with its next ID.
    pub reserved_ms: Option<i64>,
    /// The time that the lease's last renewal reserved, in milliseconds; `None` for a fixed worker
    /// ID. The next renewal is due once a third of it is used.
    pub reserve_ms: Option<u32>,
    /// The milliseconds added to the wall clock: its distance from the store's clock, or a step of
    /// it that is not followed.
    pub clock_offset_ms: Option<i64>,
    /// The lead of the last ID's time over the clock, in milliseconds.
    pub borrowed_ms: Option<u64>,
    /// The number of times that the clock went back and was counted in the layout's rollback bits.
    pub rollbacks: u64,
    /// The ranges at hand, beginning with the range in use. For a ring, its ready IDs come first.
    pub buckets: Vec<Bucket>,
    /// The count of numbers that the next range will have.
    pub step: Option<u64>,
    /// Numbers used per second between the last two ranges, or since the last one if that is
    /// longer; `None` before there were two.
    pub rate: Option<f64>,
    /// The time that the numbers at hand last at that rate, or the reserved time, in milliseconds.
    pub runway_ms: Option<u64>,
    /// The last failure of the store.
    pub last_failure: Option<Failure>,
    /// The tag's next number after the last range that this process reserved; `None` before there
    /// was one.
    pub tag_next: Option<TagNext>,
}

/// A tag with the first number that no range of this process had.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TagNext {
    /// The tag, with its date if its numbers are of a day.
    pub tag: Tag,
    /// The number. Other processes may have reserved higher ones since.
    pub next: u64,
}

/// A range at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bucket {
    /// The count of its numbers that are left.
    pub left: u64,
    /// The count of numbers that it had.
    pub size: u64,
}

/// A failure of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Its code.
    pub code: Code,
    /// Its message.
    pub message: String,
    /// The time of the failure in Unix milliseconds of this machine's clock.
    pub unix_ms: i64,
    /// True if the store has answered since.
    pub is_over: bool,
    /// True if the tag has no number left, according to the store's last answer.
    pub is_at_end: bool,
}

impl Stats {
    pub(crate) fn new(kind: &'static str, is_closed: bool, retry: Option<&RetryState>) -> Stats {
        let last_failure = retry.and_then(|retry| {
            let last = retry.last()?;
            Some(Failure {
                code: last.error.code(),
                message: last.error.to_string(),
                unix_ms: last.unix_ms,
                is_over: retry.known().is_none(),
                is_at_end: retry.end().is_some(),
            })
        });
        Stats { kind, is_closed, last_failure, ..Stats::default() }
    }

    /// The count of numbers at hand.
    pub fn at_hand(&self) -> u64 {
        self.buckets.iter().fold(0, |sum, bucket| sum.saturating_add(bucket.left))
    }
}

/// The rate at which numbers are used, from range to range and since the last one.
#[derive(Debug, Default)]
pub(crate) struct UseRate {
    supplied: u64,
    /// The boot time of the last range, and the count of numbers that had been used by then.
    last: Option<(i64, u64)>,
    /// The count of numbers used between the last two ranges, and the milliseconds between them.
    between: Option<(u64, i64)>,
}

impl UseRate {
    /// Notes a range of `count` numbers, while `left` others are at hand.
    pub(crate) fn note(&mut self, count: u64, left: u64, boot_ms: i64) {
        let used = self.supplied.saturating_sub(left);
        self.between = self.since_last(left, boot_ms);
        self.supplied = self.supplied.saturating_add(count);
        self.last = Some((boot_ms, used));
    }

    fn since_last(&self, left: u64, boot_ms: i64) -> Option<(u64, i64)> {
        let (before_ms, used_before) = self.last?;
        let used = self.supplied.saturating_sub(left);
        Some((used.saturating_sub(used_before), boot_ms.saturating_sub(before_ms).max(1)))
    }

    /// Returns the numbers used per second, while `left` of them are left. A source that slows down
    /// asks for no range for long, so the use since the last range counts once that takes longer
    /// than before.
    pub(crate) fn per_s(&self, left: u64, boot_ms: i64) -> Option<f64> {
        let between = self.between?;
        let since = self.since_last(left, boot_ms).filter(|(_, lasts_ms)| *lasts_ms > between.1);
        let (count, lasted_ms) = since.unwrap_or(between);
        Some(count as f64 / Duration::from_millis(lasted_ms.unsigned_abs()).as_secs_f64())
    }
}

/// Returns the milliseconds that `left` numbers last at a rate.
pub(crate) fn runway_ms(left: u64, per_s: Option<f64>) -> Option<u64> {
    let per_s = per_s.filter(|per_s| *per_s > 0.0)?;
    // The conversion saturates.
    Some((left as f64 / per_s * 1_000.0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_what_was_used_between_two_ranges() {
        let mut rate = UseRate::default();
        rate.note(100, 0, 1_000);
        assert_eq!(rate.per_s(100, 1_500), None);
        rate.note(100, 20, 3_000);
        assert_eq!(rate.per_s(120, 3_000), Some(40.0));
        rate.note(100, 120, 4_000);
        assert_eq!(rate.per_s(220, 4_500), Some(0.0));
        assert_eq!([runway_ms(120, Some(40.0)), runway_ms(220, Some(0.0))], [Some(3_000), None]);
    }

    #[test]
    fn a_pace_goes_down_without_another_range() {
        let mut rate = UseRate::default();
        rate.note(20_000, 0, 1_000);
        rate.note(20_000, 10_000, 2_000);
        assert_eq!(rate.per_s(30_000, 2_001), Some(10_000.0));
        assert_eq!(rate.per_s(29_000, 3_000), Some(10_000.0));
        assert_eq!(rate.per_s(28_800, 42_000), Some(30.0));
        assert_eq!(rate.per_s(28_800, 82_000), Some(15.0));
    }
}
