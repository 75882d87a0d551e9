//! The numbers of one range, given out to any number of threads.

use crate::atomic::{AcqRel, Acquire, AtomicU64, Relaxed, Release};
use crate::claim::Claim;
use crate::segment::NumberRange;

/// A cursor past every number.
const CLOSED: u64 = u64::MAX;

/// A range that many threads take numbers from: one compare-and-swap a number or run.
///
/// - *Order*: rises strictly across threads, and across [`replace`](RangeOwner::replace) when the new
///   range lies above the old one, which the caller sees to ([`SegmentBuffer`](crate::SegmentBuffer)
///   refuses any other).
/// - *Threads*: [`take_one`](Self::take_one) and [`take`](Self::take) from any number of threads;
///   what changes the range is its one [`owner`](Self::owner)'s.
/// - *Fork*: plain memory: a copy would repeat numbers.
///
/// The cursor never takes a value twice, so an exchange that succeeds proves that the end read
/// before it belongs to the cursor's range.
#[derive(Debug)]
pub struct SharedRange {
    cursor: AtomicU64,
    end: AtomicU64,
    stride: AtomicU64,
    claim: Claim,
}

impl Default for SharedRange {
    fn default() -> SharedRange {
        SharedRange::new()
    }
}

impl SharedRange {
    /// Without numbers, until [`replace`](RangeOwner::replace).
    pub fn new() -> SharedRange {
        SharedRange {
            cursor: AtomicU64::new(CLOSED),
            end: AtomicU64::new(0),
            stride: AtomicU64::new(1),
            claim: Claim::new(),
        }
    }

    /// The same for a process that forks. `image` is a number of which each copy of this memory has
    /// its own, never 0 while an owner is asked for: a forked child can then have an owner, whatever
    /// the parent's was at.
    #[must_use]
    pub fn in_image(self, image: &'static AtomicU64) -> SharedRange {
        SharedRange { claim: self.claim.told_apart_by(image), ..self }
    }

    /// The one that may change the range; `None` while there is another.
    pub fn owner(&self) -> Option<RangeOwner<'_>> {
        self.claim.take().then(|| RangeOwner { shared: self })
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

    /// How many numbers there are; others may be taking them.
    pub fn remaining(&self) -> u64 {
        // Acquire: as in `claim`.
        let cursor = self.cursor.load(Acquire);
        let (end, stride) = (self.end.load(Relaxed), self.stride.load(Relaxed));
        end.saturating_sub(cursor).div_ceil(stride.max(1))
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

/// What may change a [`SharedRange`], one at a time: from [`SharedRange::owner`] until it is
/// dropped. Two threads cannot share it:
///
/// ```compile_fail,E0596
/// use snowmint_engine::{NumberRange, SharedRange};
///
/// let range = SharedRange::new();
/// let owner = range.owner().unwrap();
/// let other = &owner;
/// other.replace(NumberRange::new(0, 10, 1).unwrap());
/// ```
#[derive(Debug)]
#[must_use = "dropped, it gives its place back"]
pub struct RangeOwner<'a> {
    shared: &'a SharedRange,
}

impl RangeOwner<'_> {
    /// Goes on with another range, which must lie above the present one. Numbers left of the
    /// present one are lost.
    pub fn replace(&mut self, range: NumberRange) {
        self.close();
        self.shared.end.store(range.end(), Relaxed);
        self.shared.stride.store(range.stride(), Relaxed);
        // Release: whoever reads this cursor reads the end and stride stored above.
        self.shared.cursor.store(range.start(), Release);
    }

    /// Gives out nothing more until [`replace`](Self::replace).
    pub fn close(&mut self) {
        // Acquire: every take that succeeded comes before the stores of a later `replace`.
        self.shared.cursor.swap(CLOSED, AcqRel);
    }
}

impl Drop for RangeOwner<'_> {
    fn drop(&mut self) {
        self.shared.claim.give_back();
    }
}
