//! The numbers of one range, given out to any number of threads.

use crate::atomic::{AcqRel, Acquire, AtomicU64, Relaxed, Release};
use crate::segment::NumberRange;

/// A cursor past every number.
const CLOSED: u64 = u64::MAX;

/// A range that many threads take numbers from: one compare-and-swap a number or run.
///
/// - *Order*: rises strictly across threads, and across [`replace`](Self::replace) when the new
///   range lies above the old one, which the caller sees to ([`SegmentBuffer`](crate::SegmentBuffer)
///   refuses any other).
/// - *Threads*: [`take`](Self::take) from any number of threads; `replace` and
///   [`close`](Self::close) by one at a time.
/// - *Fork*: plain memory: a copy would repeat numbers.
///
/// The cursor never takes a value twice, so an exchange that succeeds proves that the end read
/// before it belongs to the cursor's range.
#[derive(Debug)]
pub struct SharedRange {
    cursor: AtomicU64,
    end: AtomicU64,
    stride: AtomicU64,
}

impl Default for SharedRange {
    fn default() -> SharedRange {
        SharedRange::new()
    }
}

impl SharedRange {
    /// Without numbers, until [`replace`](Self::replace).
    pub fn new() -> SharedRange {
        SharedRange {
            cursor: AtomicU64::new(CLOSED),
            end: AtomicU64::new(0),
            stride: AtomicU64::new(1),
        }
    }

    /// The next number; `None` if there is none.
    #[inline]
    pub fn take_one(&self) -> Option<u64> {
        let (start, _, _) = self.claim(1)?;
        Some(start)
    }

    /// Up to `n` numbers that lie together; `None` if there are none or `n` is 0.
    pub fn take(&self, n: u64) -> Option<NumberRange> {
        let (start, end, stride) = self.claim(n)?;
        NumberRange::new(start, end, stride).ok()
    }

    /// Goes on with another range, which must lie above the present one. Numbers left of the
    /// present one are lost.
    pub fn replace(&self, range: NumberRange) {
        self.close();
        self.end.store(range.end(), Relaxed);
        self.stride.store(range.stride(), Relaxed);
        // Release: whoever reads this cursor reads the end and stride stored above.
        self.cursor.store(range.start(), Release);
    }

    /// Gives out nothing more until [`replace`](Self::replace).
    pub fn close(&self) {
        // Acquire: every take that succeeded comes before the stores of a later `replace`.
        self.cursor.swap(CLOSED, AcqRel);
    }

    #[inline]
    fn claim(&self, n: u64) -> Option<(u64, u64, u64)> {
        // Acquire: end and stride are of this cursor's range, or of a later one; if later, the
        // cursor has changed and the exchange fails.
        let mut cursor = self.cursor.load(Acquire);
        loop {
            let end = self.end.load(Relaxed);
            let stride = self.stride.load(Relaxed);
            if cursor >= end {
                let newer = self.cursor.load(Acquire);
                if newer == cursor {
                    return None;
                }
                cursor = newer;
                continue;
            }
            let run = n.saturating_mul(stride);
            let past = cursor.saturating_add(run).min(end);
            if past == cursor {
                return None;
            }
            // The end itself may be the start of the next range: a cursor there would repeat.
            let after = if past == end { CLOSED } else { past };
            // Release: `close` sees this claim's reads as done.
            match self.cursor.compare_exchange_weak(cursor, after, Release, Acquire) {
                Ok(_) => return Some((cursor, past, stride)),
                Err(newer) => cursor = newer,
            }
        }
    }
}
