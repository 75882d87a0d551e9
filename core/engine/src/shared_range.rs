//! The numbers of one range, for any number of threads.

use crate::atomic::{Acquire, AtomicU64, Relaxed, Release};
use crate::cache_line::CacheLine;
use crate::claim::Claim;
use crate::segment::{MAX_NUMBER, NumberRange};

/// A place past those of every range, however many threads count up from here.
const CLOSED: u64 = 1 << 63;
const _: () = assert!(MAX_NUMBER < CLOSED);

/// A range from which many threads take numbers. Each number costs one atomic addition; runs, and
/// strides other than 1, cost one compare-and-swap.
///
/// - *Order*: numbers rise strictly across threads. They also rise across
///   [`replace`](RangeOwner::replace) if each range lies above those before, which the caller must
///   ensure ([`SegmentBuffer`](crate::SegmentBuffer) refuses any other).
/// - *Gaps*: a thread inside [`take_one`](Self::take_one) while the range is replaced can lose one
///   number of the new range.
/// - *Threads*: any number of threads can call [`take_one`](Self::take_one) and
///   [`take`](Self::take). Only the single [`owner`](Self::owner) can change the range.
/// - *Fork*: plain memory; a copy would repeat numbers.
#[derive(Debug)]
pub struct SharedRange {
    /// The next place. It has a cache line of its own, because every call writes it.
    cursor: CacheLine<AtomicU64>,
    /// The first place past the range; 0 if there is no range, or if it is used up.
    end: AtomicU64,
    start: AtomicU64,
    stride: AtomicU64,
    claim: Claim,
}

// A range has a place for each of its numbers: consecutive places from its start on, whatever the
// stride. Places of a later range lie above, because its numbers do. A call draws a place by moving
// the cursor, and owns its number if the place is below the end that it *read before*. The proof:
//
// 1. Within one range the cursor only rises: no place of it is drawn twice.
// 2. A call that read an end (Acquire) comes after the store of that end (Release), and so after
//    the store of the range's start in the cursor. So it draws from that range or a later one. A
//    place below the end belongs to that range, because later ranges begin at or above the end. The
//    call can no longer see how far the cursor was moved past an earlier end, maybe to a place of
//    this range.
// 3. Start and stride are read between the two (Acquire): they belong to the end's range or a later
//    one. If they are of a later one, the cursor was closed before they were stored (Release). The
//    drawn place is then CLOSED or above, or of a later range: not below the end.
// 4. A place that is not below the end is given up, because nothing tells its owner: it may be the
//    next range's, or have none. A call that draws such a place replaces the end that it read by 0,
//    unless the end has changed. Ends rise, so it never replaces a later one. Calls that find
//    nothing thus only read, and at most one addition for each thread hits a used-up cursor.
impl SharedRange {
    /// Creates a range without numbers, until [`replace`](RangeOwner::replace).
    pub fn new() -> SharedRange {
        SharedRange {
            cursor: CacheLine(AtomicU64::new(CLOSED)),
            end: AtomicU64::new(0),
            start: AtomicU64::new(0),
            stride: AtomicU64::new(1),
            claim: Claim::new(),
        }
    }

    /// Prepares the range for a process that forks. `image` is a number that differs in every copy
    /// of this memory, and is never 0 when an owner is requested. A forked child can then have an
    /// owner, whatever the parent's was doing.
    #[must_use]
    pub fn in_image(self, image: &'static AtomicU64) -> SharedRange {
        SharedRange { claim: self.claim.told_apart_by(image), ..self }
    }

    /// Returns the owner, which may change the range, or `None` while another owner exists.
    pub fn owner(&self) -> Option<RangeOwner<'_>> {
        self.claim.take().then(|| RangeOwner { shared: self })
    }

    /// Takes the next number, or `None` if there is none.
    #[inline]
    pub fn take_one(&self) -> Option<u64> {
        loop {
            let end = self.end.load(Acquire);
            if end == 0 {
                return None;
            }
            // Work after the addition delays the next call, so there is no multiplication here.
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

    /// Takes up to `n` numbers in one run, or `None` if there are none or `n` is 0. It draws no
    /// place past the end, and so gives none up.
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

    /// Returns how many numbers are left; other threads may be taking them.
    pub fn remaining(&self) -> u64 {
        // Acquire: the cursor is this range's, or past its end.
        let end = self.end.load(Acquire);
        end.saturating_sub(self.cursor.0.load(Relaxed))
    }

    #[inline(never)]
    fn take_strided(&self) -> Option<u64> {
        self.take(1).map(|run| run.start())
    }

    /// Reads the range before a place is drawn; `None` if there are no numbers.
    fn span(&self) -> Option<Span> {
        let end = self.end.load(Acquire);
        let (start, stride) = (self.start.load(Acquire), self.stride.load(Acquire));
        (end != 0).then_some(Span { end, start, stride })
    }

    /// Marks the range with this end as used up, so that further calls draw no place.
    #[cold]
    fn used_up(&self, end: u64) {
        // A failure means that the range was replaced, or that another thread marked it already.
        let _ = self.end.compare_exchange(end, 0, Relaxed, Relaxed);
    }
}

impl Default for SharedRange {
    fn default() -> SharedRange {
        SharedRange::new()
    }
}

/// The range that explains places below `end`.
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

    /// Returns the numbers of the places from `place` up to `past`.
    fn run(self, place: u64, past: u64) -> Option<NumberRange> {
        let end = self.number(past.saturating_sub(1)).saturating_add(1);
        NumberRange::new(self.number(place), end, self.stride).ok()
    }
}

/// The right to change a [`SharedRange`], from [`SharedRange::owner`] until it is dropped. Only one
/// exists at a time. Two threads cannot share it:
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
    /// Replaces the range by another one, which must lie above all ranges before. Numbers that are
    /// left of the present range are lost.
    pub fn replace(&mut self, range: NumberRange) {
        self.close();
        let SharedRange { cursor, end, start, stride, .. } = self.shared;
        start.store(range.start(), Release);
        stride.store(range.stride(), Release);
        cursor.0.swap(range.start(), Relaxed);
        end.swap(range.start().saturating_add(range.count()), Release);
    }

    /// Stops giving numbers until [`replace`](Self::replace), even to calls under way.
    pub fn close(&mut self) {
        // Here and above, cursor and end are exchanged instead of stored only because of loom: it
        // does not order plain stores with the additions and exchanges of other threads.
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

    /// Threads that poll an empty range must not monopolize its cache line, nor count it up.
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

    /// A call that was stopped after reading the end must find nothing afterwards. If an image is
    /// restored twice, the close keeps the two copies from giving the same numbers.
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
