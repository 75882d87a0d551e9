//! What a ring has to know of the daily numbers that it takes ahead of need.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Daily;

impl Daily {
    /// How often a day's tag has latched.
    pub(crate) fn latches(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.book.maker.latches)
    }

    /// How many numbers a range has.
    pub(crate) fn step(&self) -> u64 {
        self.book.maker.step
    }

    /// How long the numbers of the day's page are given out; 0 if it is to be turned.
    pub(crate) fn left_of_day_ms(&self, now_ms: i64) -> i64 {
        let today = self.book.today.load();
        // A date that comes twice goes on past its first end.
        let until_ms = today.until_ms.max(today.look_ms.load(Ordering::Relaxed));
        until_ms.saturating_sub(now_ms).max(0)
    }
}
