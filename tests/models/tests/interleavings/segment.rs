//! The segment's fast path in miniature: callers take from a [`SharedRange`] without a lock; who
//! finds it empty takes the lock, looks again, and moves a piece of the buffer into it. A scheduler
//! supplies ranges under the same lock.

use std::collections::BTreeSet;

use snowmint_models::sync::{Arc, Mutex};
use snowmint_models::thread;
use snowmint_models::{NumberRange, Prefetch, SegmentBuffer, SharedRange, StepSize};

use crate::explore;

struct Tap {
    range: SharedRange,
    buffer: Mutex<SegmentBuffer>,
}

impl Tap {
    fn new() -> Tap {
        let step = StepSize::fixed(2).unwrap();
        let mut buffer = SegmentBuffer::new(Prefetch::LEAF, step);
        assert!(buffer.wants(0).is_some());
        buffer.supply(range(0), 0).unwrap();
        Tap { range: SharedRange::new(), buffer: Mutex::new(buffer) }
    }

    fn next(&self) -> Vec<u64> {
        let number = self.range.take_one().or_else(|| self.take_or_refill());
        number.into_iter().collect()
    }

    fn take_or_refill(&self) -> Option<u64> {
        let mut buffer = self.buffer.lock().unwrap();
        // Another thread may have put the next range in place by now.
        if let Some(number) = self.range.take_one() {
            return Some(number);
        }
        self.range.owner().unwrap().replace(buffer.take_until_request()?);
        self.range.take_one()
    }
}

/// The store's n-th range.
fn range(n: u64) -> NumberRange {
    NumberRange::new(2 * n, 2 * n + 2, 1).unwrap()
}

#[test]
fn refills() {
    explore("segment::refills", 2, || {
        let tap = Arc::new(Tap::new());
        let takers = [1, 2].map(|_| {
            let tap = Arc::clone(&tap);
            thread::spawn(move || [tap.next(), tap.next()].concat())
        });
        // The scheduler.
        let asked = tap.buffer.lock().unwrap().wants(0);
        if asked.is_some() {
            tap.buffer.lock().unwrap().supply(range(1), 0).unwrap();
        }
        let [a, b] = takers.map(|taker| taker.join().unwrap());
        let rest: Vec<u64> = std::iter::from_fn(|| tap.next().pop()).collect();
        let taken = [a, b, rest];
        for numbers in &taken {
            assert!(numbers.is_sorted_by(|a, b| a < b), "out of order: {taken:?}");
        }
        let numbers: Vec<u64> = taken.concat();
        let all: BTreeSet<u64> = numbers.iter().copied().collect();
        assert_eq!(numbers.len(), all.len(), "a number twice: {taken:?}");
        let supplied = if asked.is_some() { 4 } else { 2 };
        // A taker that is overtaken by a refill may lose one of its numbers, and here that can be all.
        assert!(all.iter().all(|&number| number < supplied), "not what the store gave: {taken:?}");
    });
}
