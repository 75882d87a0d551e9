//! The numbers of one range, given out to any number of threads.

use crate::atomic::{Acquire, AtomicU64, Relaxed, Release};
use crate::cache_line::CacheLine;
use crate::claim::Claim;
use crate::segment::{MAX_NUMBER, NumberRange};

/// A place past those of every range, however many threads go on from here.
const CLOSED: u64 = 1 << 63;
const _: () = assert!(MAX_NUMBER < CLOSED);

/// A range that many threads take numbers from: one atomic addition a number, and for runs, or where
/// the stride is not 1, one compare-and-swap.
///
/// - *Order*: rises strictly across threads, and across [`replace`](RangeOwner::replace) when each
///   range lies above those before, which the caller sees to
///   ([`SegmentBuffer`](crate::SegmentBuffer) refuses any other).
/// - *Gaps*: a thread that is in the middle of [`take_one`](Self::take_one) while the range is
///   replaced can lose one number of the new range.
/// - *Threads*: [`take_one`](Self::take_one) and [`take`](Self::take) from any number of threads;
///   what changes the range is its one [`owner`](Self::owner)'s.
/// - *Fork*: plain memory: a copy would repeat numbers.
#[derive(Debug)]
pub struct SharedRange {
    /// The next place. A line of its own, for every call writes it.
    cursor: CacheLine<AtomicU64>,
    /// The first place past the range; 0 if there is no range, or all of it was given out.
    end: AtomicU64,
    start: AtomicU64,
    stride: AtomicU64,
    claim: Claim,
}

// A range has a place for each of its numbers: from its start on, one after the other, whatever the
// stride. Places of a later range lie above, since its numbers do. A call draws a place by moving the
// cursor, and has its number if the place is below the end, *which it read before*. Everything rests
// on this:
//
// 1. In one range the cursor only rises: no place of it is drawn twice.
// 2. Whoever read an end (Acquire) comes after the store of it (Release), and of the range's start in
//    the cursor before. So it draws from that range or a later one, and a place below the end is of
//    that range: later ones begin at or above it. How far the cursor was moved past an earlier end,
//    maybe to a place of this range, it cannot see any more.
// 3. Start and stride are read between the two (Acquire): they are of the end's range or a later one.
//    If of a later one, the cursor was closed before they were stored (Release), and what is drawn is
//    CLOSED, above it or of a later range: not below the end.
// 4. A place not below the end is given up, for nothing tells whose it is: the next range's, if that
//    came in between, or nobody's. So a call that draws it puts 0 in the place of the end it read,
//    unless that is another by now; ends rise, so it is never a later one. Calls that find nothing
//    thus only read, and at most as many as there are threads add to a cursor that is used up.
impl SharedRange {
    /// Without numbers, until [`replace`](RangeOwner::replace).
    pub fn new() -> SharedRange {
        SharedRange {
            cursor: CacheLine(AtomicU64::new(CLOSED)),
            end: AtomicU64::new(0),
            start: AtomicU64::new(0),
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
        loop {
            let end = self.end.load(Acquire);
            if end == 0 {
                return None;
            }
            // What follows the addition delays the next one: no multiplication here.
            if self.stride.load(Acquire) != 1 {
                return self.take_strided();
            }
            let place = self.cursor.0.fetch_add(1, Relaxed);
            if place < end {
                return Some(place);
            }
            self.used_up(end);
        }
    }

    /// Up to `n` numbers that lie together; `None` if there are none or `n` is 0. It draws no place
    /// past the end, and so gives none up.
    pub fn take(&self, n: u64) -> Option<NumberRange> {
        loop {
            let span = self.span()?;
            let place = self.cursor.0.load(Relaxed);
            if place >= span.end {
                self.used_up(span.end);
                continue;
            }
            let past = place.saturating_add(n).min(span.end);
            if past == place {
                return None;
            }
            if self.cursor.0.compare_exchange_weak(place, past, Relaxed, Relaxed).is_ok() {
                return span.run(place, past);
            }
        }
    }

    /// How many numbers there are; others may be taking them.
    pub fn remaining(&self) -> u64 {
        // Acquire: the cursor is this range's, or past its end.
        let end = self.end.load(Acquire);
        end.saturating_sub(self.cursor.0.load(Relaxed))
    }

    #[inline(never)]
    fn take_strided(&self) -> Option<u64> {
        self.take(1).map(|run| run.start())
    }

    /// What is read before a place is drawn; `None` if there are no numbers.
    fn span(&self) -> Option<Span> {
        let end = self.end.load(Acquire);
        let (start, stride) = (self.start.load(Acquire), self.stride.load(Acquire));
        (end != 0).then_some(Span { end, start, stride })
    }

    /// Has no more calls draw up to this end. Whoever then reads the end finds another.
    #[cold]
    fn used_up(&self, end: u64) {
        // A failure says as much: the range was replaced, or others have found it used up.
        let _ = self.end.compare_exchange(end, 0, Relaxed, Relaxed);
    }
}

impl Default for SharedRange {
    fn default() -> SharedRange {
        SharedRange::new()
    }
}

/// What the places below `end` stand for, where they are of its range.
#[derive(Clone, Copy)]
struct Span {
    end: u64,
    start: u64,
    stride: u64,
}

impl Span {
    fn number(self, place: u64) -> u64 {
        self.start.wrapping_add(place.wrapping_sub(self.start).wrapping_mul(self.stride))
    }

    /// The numbers of the places from `place` up to `past`.
    fn run(self, place: u64, past: u64) -> Option<NumberRange> {
        let end = self.number(past.saturating_sub(1)).saturating_add(1);
        NumberRange::new(self.number(place), end, self.stride).ok()
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
    /// Goes on with another range, which must lie above all before. Numbers left of the present one
    /// are lost.
    pub fn replace(&mut self, range: NumberRange) {
        self.close();
        let SharedRange { cursor, end, start, stride, .. } = self.shared;
        start.store(range.start(), Release);
        stride.store(range.stride(), Release);
        cursor.0.swap(range.start(), Relaxed);
        end.swap(range.start().saturating_add(range.count()), Release);
    }

    /// Gives out nothing more until [`replace`](Self::replace), not even to a thread that has begun
    /// to take.
    pub fn close(&mut self) {
        // Cursor and end are exchanged, here and above, only for loom: it has no one order of stores
        // and of what other threads add or exchange.
        self.shared.cursor.0.swap(CLOSED, Relaxed);
        self.shared.end.swap(0, Relaxed);
    }
}

impl Drop for RangeOwner<'_> {
    fn drop(&mut self) {
        self.shared.claim.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(range: (u64, u64, u64)) -> SharedRange {
        let shared = SharedRange::new();
        let (start, end, stride) = range;
        shared.owner().unwrap().replace(NumberRange::new(start, end, stride).unwrap());
        shared
    }

    /// Threads that poll an empty range must not keep its line to themselves, nor count it up.
    #[test]
    fn calls_that_find_nothing_only_read() {
        for stride in [1, 3] {
            let shared = of((5, 9, stride));
            while shared.take_one().is_some() {}
            let cursor = shared.cursor.0.load(Relaxed);
            assert_eq!((shared.take_one(), shared.take(2)), (None, None));
            assert_eq!(shared.cursor.0.load(Relaxed), cursor);
        }
    }

    /// A call that was stopped after reading the end must find nothing afterwards: in an image
    /// restored twice, the close is what keeps the two from going on alike.
    #[test]
    fn l10_a_close_reaches_calls_under_way() {
        let shared = of((5, 9, 1));
        let end = shared.end.load(Acquire);
        shared.owner().unwrap().close();
        assert!(shared.cursor.0.load(Relaxed) >= end);
    }

    #[test]
    fn the_largest_range_is_given_out_to_its_last_number() {
        for (start, stride) in [(MAX_NUMBER - 3, 1), (MAX_NUMBER - 3, 1 << 30), (0, 1 << 30)] {
            let shared = of((start, MAX_NUMBER, stride));
            let count = shared.remaining();
            let most = shared.take(count - 1);
            assert_eq!(most.map_or(0, |run| run.count()), count - 1);
            assert_eq!(shared.take_one(), Some(start + (count - 1) * stride));
            assert_eq!((shared.take(u64::MAX), shared.remaining()), (None, 0));
        }
    }
}
