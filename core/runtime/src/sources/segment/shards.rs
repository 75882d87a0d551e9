//! A tag in several databases. Each gives numbers of its own residue class, and a database that is
//! down is left out until it is back.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use snowmint_engine::{Code, NumberRange};

use super::ranges::RangeSource;
use crate::error::{Error, Result};
use crate::stats::{Bucket, Stats, runway_ms};
use crate::waiting::Attempt;

mod late;

/// The least time that a database has to answer before another is asked instead.
const ANSWER_MIN: Duration = Duration::from_millis(500);

pub(crate) use late::LateStore;

/// The range sources of a segment whose tag is in several databases.
pub(super) struct Shards {
    all: Box<[Arc<RangeSource>]>,
    /// The database that is asked first by calls without a key.
    turn: AtomicUsize,
    /// The key of calls that name none, if it was set.
    key: Option<u64>,
}

impl Shards {
    pub(super) fn new(all: &[Arc<RangeSource>], key: Option<u64>) -> Shards {
        Shards { all: all.into(), turn: AtomicUsize::new(0), key }
    }

    /// Returns numbers at hand, from the first database that has any, or from the key's database.
    pub(super) fn try_each<T>(&self, take: impl Fn(&RangeSource) -> Option<T>) -> Option<T> {
        match self.key {
            None => self.in_turn().find_map(|ranges| take(ranges)),
            Some(key) => self.try_of(key, take),
        }
    }

    /// Returns numbers at hand of the database that the key belongs to.
    pub(super) fn try_of<T>(
        &self,
        key: u64,
        take: impl Fn(&RangeSource) -> Option<T>,
    ) -> Option<T> {
        self.by_key(key).first().and_then(|ranges| take(ranges))
    }

    /// Returns numbers of the first database that has any, or why there are none yet. Every
    /// database without numbers requests some, including one that was down while others have
    /// enough.
    pub(super) fn take_or_ask(&self, n: u64, wait: Duration) -> Result<Attempt<NumberRange>> {
        if let Some(key) = self.key {
            return self.take_or_ask_of(key, n, wait);
        }
        let (mut taken, mut why) = (None, Why::default());
        for ranges in self.in_turn() {
            match taken {
                Some(_) => ranges.stock_up(),
                None => taken = why.unless_taken(ranges.take_or_ask(n)),
            }
        }
        taken.map_or_else(|| why.answer(), |range| Ok(Attempt::Done(range)))
    }

    /// Returns numbers of the database that the key belongs to. If that one fails, or is silent for
    /// half of the caller's wait, the next in the key's order is used.
    pub(super) fn take_or_ask_of(
        &self,
        key: u64,
        n: u64,
        wait: Duration,
    ) -> Result<Attempt<NumberRange>> {
        let patience = (wait / 2).max(ANSWER_MIN);
        let mut why = Why::default();
        for ranges in self.by_key(key) {
            if let Some(range) = why.unless_taken(ranges.take_or_ask(n)) {
                return Ok(Attempt::Done(range));
            }
            if why.is_about_to_come() && !ranges.is_silent_for(patience) {
                break;
            }
        }
        why.answer()
    }

    /// Fetches numbers of each database that has none at hand. If some are down, this does not
    /// fail.
    pub(super) fn stock_up(&self) {
        self.all.iter().for_each(RangeSource::stock_up);
    }

    fn in_turn(&self) -> impl Iterator<Item = &Arc<RangeSource>> {
        let first = self.turn.fetch_add(1, Ordering::Relaxed) % self.all.len();
        let (before, from) = self.all.split_at(first);
        from.iter().chain(before)
    }

    /// The order of databases for a key, by rendezvous hashing of their classes. It is the same in
    /// every process, and changes only when a database is added or left out. Unknown classes come
    /// last.
    fn by_key(&self, key: u64) -> Vec<&Arc<RangeSource>> {
        let mut all: Vec<_> = self.all.iter().collect();
        let weight = |ranges: &RangeSource| {
            ranges.remainder().map(|remainder| mixed(key ^ mixed(remainder)))
        };
        all.sort_by_key(|ranges| std::cmp::Reverse(weight(ranges)));
        all
    }

    pub(super) fn close(&self) {
        self.all.iter().for_each(|ranges| ranges.close());
    }

    /// The stats of all together, with the last failure that is not over.
    pub(super) fn stats(&self) -> Stats {
        let each: Vec<_> = self.all.iter().map(|ranges| ranges.stats()).collect();
        let buckets: Vec<Bucket> = each.iter().flat_map(|stats| stats.buckets.clone()).collect();
        let rates: Vec<f64> = each.iter().filter_map(|stats| stats.rate).collect();
        let rate = (!rates.is_empty()).then(|| rates.iter().sum::<f64>());
        let is_closed = each.iter().all(|stats| stats.is_closed);
        let failures = each.iter().filter_map(|stats| stats.last_failure.clone());
        let mut stats = Stats {
            buckets,
            step: each.iter().filter_map(|stats| stats.step).max(),
            rate,
            last_failure: failures.max_by_key(|it| (!it.is_over, it.unix_ms)),
            tag_next: each.iter().filter_map(|it| it.tag_next.clone()).max_by_key(|it| it.next),
            ..Stats::new("segment", is_closed, None)
        };
        stats.runway_ms = runway_ms(stats.at_hand(), rate);
        stats
    }
}

/// The reasons why no database had numbers. A final failure of one does not count while another may
/// have some.
#[derive(Default)]
struct Why {
    later: Option<(Duration, Error)>,
    failed: Option<Error>,
}

impl Why {
    fn unless_taken(&mut self, attempt: Result<Attempt<NumberRange>>) -> Option<NumberRange> {
        match attempt {
            Ok(Attempt::Done(range)) => return Some(range),
            Ok(Attempt::Later { pause, why }) => {
                let is_sooner = self.later.as_ref().is_none_or(|(sooner, _)| pause < *sooner);
                if is_sooner {
                    self.later = Some((pause, why));
                }
            }
            Err(error) => drop(self.failed.get_or_insert(error)),
        }
        None
    }

    /// Returns true if a database has been asked and has not failed.
    fn is_about_to_come(&self) -> bool {
        self.later.as_ref().is_some_and(|(_, why)| why.code() == Code::WaitTimeout)
    }

    fn answer(self) -> Result<Attempt<NumberRange>> {
        match (self.later, self.failed) {
            (Some((pause, why)), _) => Ok(Attempt::Later { pause, why }),
            (None, Some(error)) => Err(error),
            (None, None) => unreachable!("a segment has a range source"),
        }
    }
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): every bit of a number affects each bit
/// of its hash. It must not change, because keys would change their databases.
const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_spread_as_in_every_other_release() {
        // The published value for a seed of 0.
        assert_eq!(mixed(0), 0xe220_a839_7b1d_cdaf);
        let of = |key: u64, count: u64| {
            (0..count).max_by_key(|remainder| mixed(key ^ mixed(*remainder))).unwrap()
        };
        let first: Vec<_> = (0..10).map(|key| of(key, 4)).collect();
        assert_eq!(first, (0..10).map(|key| of(key, 4)).collect::<Vec<_>>());
        let moved = (0..10_000).filter(|key| of(*key, 4) != of(*key, 5)).count();
        let to_the_new = (0..10_000).filter(|key| of(*key, 5) == 4).count();
        assert_eq!(moved, to_the_new, "a key leaves its database for the new one alone");
        assert!((1_800..2_200).contains(&moved), "{moved}");
    }
}
