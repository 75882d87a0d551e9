//! A buffer of ready IDs between one producer and many consumers.

use crate::atomic::{Acquire, AtomicU64, Relaxed, Release};
use crate::cache_line::CacheLine;
use crate::claim::Claim;
use crate::error::Error;

/// The largest number of slots of a [`Ring`]: 1,048,576, which is 8 MiB.
pub const MAX_CAPACITY: usize = 1 << 20;

/// The threshold of [`Ring::new`] in percent. NetEase's ring uses the same (Baidu's: 50).
pub const REFILL_BELOW_PERCENT: u32 = 30;

/// A fixed-capacity, lock-free queue of IDs: one producer at a time, any number of consumers.
///
/// - **Order**: IDs come out in the order in which they were pushed, across all consumers. If one
///   call begins after another has returned, it gets later IDs.
/// - **Unique**: each pushed ID comes out at most once. The successful compare-and-swap on the
///   count of claimed IDs *is* the claim.
/// - **Empty** is an error, never a wait. The caller decides whether to wait, and how long.
/// - **Threads**: everything takes `&self`, so you can share a `Ring` in a `static` or an `Arc`. A
///   consumer only retries because another consumer succeeded.
/// - **Refill**: [`wants_refill`](Ring::wants_refill) tells when the level is below the threshold.
///   The ring has no clock: the caller refills it by a timer, and discards IDs whose time is too
///   old.
/// - **Copies**: a forked child or a restored image holds the same IDs as its twin. It must discard
///   them, or start a new ring.
///
/// The storage `S` can be an array, or a boxed slice if you can allocate. Its `as_ref` must always
/// return the same slice. If it does not, nothing panics, but IDs are lost or repeated.
pub struct Ring<S> {
    slots: S,
    mask: u64,
    refill_below: u64,
    /// The count of IDs ever published; only the producer writes it.
    head: CacheLine<AtomicU64>,
    /// The count of IDs ever claimed; never above `head`.
    tail: CacheLine<AtomicU64>,
    claim: CacheLine<Claim>,
}

// The two counts only rise, and at 10^9 IDs a second take 584 years to reach 2^64. The ID of count
// c (from 0) is in slot c mod capacity while tail <= c < head. The proof:
//
// 1. A consumer that reads head > c with Acquire sees the ID of c in its slot, because the producer
//    wrote the ID before it stored head with Release.
// 2. The consumer reads the slot *before* its compare-and-swap of tail from c. The value is valid
//    exactly if the swap succeeds. The producer overwrites the slot only after it has read tail >
//    c, and tail passes c in exactly one compare-and-swap, because no count comes twice:
//    - If another consumer made that swap, ours finds tail other than c, fails, and drops the
//      value.
//    - If ours made it, it is a Release, and the producer's read of tail is an Acquire (later
//      claims by others are read-modify-writes, so they continue our release sequence). So our read
//      of the slot happened before the overwriting, and cannot have seen it.
//    Comparing a cursor before the claim would not be enough: between the comparison and the claim,
//    other threads can go once around the ring.
// 3. tail is read with Acquire, and before head. The consumer that advanced tail to c had seen head
//    >= c, so we see that as well, and head - tail is never negative.
impl<S: AsRef<[AtomicU64]>> Ring<S> {
    /// Creates an empty ring with as many places as the storage has slots, which wants a refill
    /// below 30 %. The content of the slots does not matter.
    ///
    /// # Errors
    /// [`Error::CountOutOfRange`] if the number of slots is not a power of two from 1 to
    /// [`MAX_CAPACITY`].
    pub fn new(slots: S) -> Result<Ring<S>, Error> {
        Ring::with_threshold(slots, REFILL_BELOW_PERCENT)
    }

    /// Creates a ring like [`Ring::new`], with a threshold in percent of the capacity: 1 wants a
    /// refill when (nearly) empty, 100 whenever it is not full.
    ///
    /// # Errors
    /// [`Error::CountOutOfRange`] as for [`Ring::new`], and for a threshold outside 1 to 100.
    pub fn with_threshold(slots: S, refill_below_percent: u32) -> Result<Ring<S>, Error> {
        let count = slots.as_ref().len();
        if !count.is_power_of_two() || count > MAX_CAPACITY {
            let max = MAX_CAPACITY as u64;
            return Err(Error::CountOutOfRange { count: count as u64, max });
        }
        if !(1..=100).contains(&refill_below_percent) {
            return Err(Error::CountOutOfRange { count: refill_below_percent.into(), max: 100 });
        }
        let capacity = count as u64;
        Ok(Ring {
            slots,
            mask: capacity.wrapping_sub(1),
            // Rounded up, so that `len < refill_below` is equivalent to `len / capacity < percent`.
            refill_below: capacity.wrapping_mul(refill_below_percent.into()).div_ceil(100),
            head: CacheLine(AtomicU64::new(0)),
            tail: CacheLine(AtomicU64::new(0)),
            claim: CacheLine(Claim::new()),
        })
    }

    /// Prepares the ring for a process that forks. `image` is a number that differs in every copy
    /// of this memory, and is never 0 when a producer is requested. A forked child can then have a
    /// producer, whatever the parent's was doing. The ring's content is the parent's: the child
    /// must take it out first, and discard it.
    #[must_use]
    pub fn in_image(self, image: &'static AtomicU64) -> Ring<S> {
        let CacheLine(claim) = self.claim;
        Ring { claim: CacheLine(claim.told_apart_by(image)), ..self }
    }

    /// Takes the oldest ID.
    ///
    /// # Errors
    /// [`Error::Empty`] if there is none at the moment.
    pub fn take(&self) -> Result<u64, Error> {
        let mut id = [0];
        match self.take_into(&mut id) {
            0 => Err(Error::Empty),
            _ => Ok(id[0]),
        }
    }

    /// Takes up to `out.len()` of the oldest IDs, in order, and returns how many it took: fewer if
    /// fewer are there, 0 if none. They are consecutive: one compare-and-swap claims the whole run.
    ///
    /// The rest of `out` contains no IDs: each place is unchanged, or 0.
    pub fn take_into(&self, out: &mut [u64]) -> usize {
        let slots = self.slots.as_ref();
        let mut touched = 0;
        let mut tail = self.tail.0.load(Acquire);
        let taken = loop {
            let ready = self.head.0.load(Acquire).saturating_sub(tail);
            // An outdated tail makes `ready` too large; the claim fails then.
            let run = (ready.min(self.capacity() as u64) as usize).min(out.len());
            if run == 0 {
                break 0;
            }
            let places = out.iter_mut().take(run).zip(tail..);
            places.for_each(|(place, count)| *place = read(slots, count & self.mask));
            touched = run.max(touched);

            let claimed = tail.wrapping_add(run as u64);
            match self.tail.0.compare_exchange_weak(tail, claimed, Release, Acquire) {
                Ok(_) => break run,
                Err(current) => tail = current,
            }
        };
        // A longer run that was read before a failed claim left other consumers' IDs behind.
        out.iter_mut().take(touched).skip(taken).for_each(|place| *place = 0);
        taken
    }

    /// Returns the right to push, or `None` while another producer exists. Dropping the producer
    /// returns the right. Leaking it (`mem::forget`) leaves the ring without a producer for ever.
    pub fn producer(&self) -> Option<Producer<'_, S>> {
        // `then` is lazy: a producer created and dropped would release another one's claim.
        self.claim.0.take().then(|| Producer { ring: self })
    }

    /// Returns how many IDs are ready: exact while no thread pushes or takes, else slightly old.
    pub fn len(&self) -> usize {
        let tail = self.tail.0.load(Acquire);
        let ready = self.head.0.load(Acquire).saturating_sub(tail);
        // Between the two reads other threads may have taken and pushed.
        (ready as usize).min(self.capacity())
    }

    /// Returns true if no ID is ready, with the precision of [`len`](Ring::len).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many IDs the ring can hold.
    pub fn capacity(&self) -> usize {
        (self.mask as usize).wrapping_add(1)
    }

    /// Returns true if fewer IDs are ready than the threshold's share of the capacity.
    pub fn wants_refill(&self) -> bool {
        (self.len() as u64) < self.refill_below
    }
}

/// The right to push into a [`Ring`]. At most one exists at a time; it may move between threads.
pub struct Producer<'a, S> {
    ring: &'a Ring<S>,
}

impl<S: AsRef<[AtomicU64]>> Producer<'_, S> {
    /// Publishes as many of the IDs as fit, the first ones first, and returns how many. The caller
    /// keeps the rest. All of them become visible to consumers at once.
    pub fn push(&mut self, ids: &[u64]) -> usize {
        let slots = self.ring.slots.as_ref();
        let head = self.ring.head.0.load(Relaxed); // nobody else writes it
        let count = self.free().min(ids.len());
        for (&id, count) in ids.iter().take(count).zip(head..) {
            if let Some(slot) = slots.get((count & self.ring.mask) as usize) {
                slot.store(id, Relaxed);
            }
        }
        self.ring.head.0.store(head.wrapping_add(count as u64), Release);
        count
    }

    /// Returns how many IDs fit; consumers can only make it more.
    pub fn free(&self) -> usize {
        let head = self.ring.head.0.load(Relaxed);
        // Acquire: consumers have read the slots before these are overwritten.
        let tail = self.ring.tail.0.load(Acquire);
        self.ring.capacity().saturating_sub(head.wrapping_sub(tail) as usize)
    }
}

impl<S> Drop for Producer<'_, S> {
    fn drop(&mut self) {
        self.ring.claim.0.give_back();
    }
}

/// Reads the ID in a slot. Relaxed: head's Acquire comes before it, the claim's Release after.
fn read(slots: &[AtomicU64], index: u64) -> u64 {
    slots.get(index as usize).map_or(0, |slot| slot.load(Relaxed))
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]
mod tests {
    use std::boxed::Box;
    use std::collections::VecDeque;
    use std::thread;
    use std::vec;
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    fn slots(count: usize) -> Box<[AtomicU64]> {
        (0..count).map(|_| AtomicU64::new(u64::MAX)).collect()
    }

    #[test]
    fn capacity_is_a_power_of_two_within_its_limit() {
        for count in [1, 2, 8, MAX_CAPACITY] {
            assert_eq!(Ring::new(slots(count)).unwrap().capacity(), count);
        }
        for count in [0, 3, 6, MAX_CAPACITY - 1, MAX_CAPACITY + 1, MAX_CAPACITY * 2] {
            let max = MAX_CAPACITY as u64;
            let refused = Error::CountOutOfRange { count: count as u64, max };
            assert_eq!(Ring::new(slots(count)).err(), Some(refused));
        }
    }

    #[test]
    fn threshold_is_a_percentage() {
        for percent in [0, 101, u32::MAX] {
            let refused = Error::CountOutOfRange { count: percent.into(), max: 100 };
            assert_eq!(Ring::with_threshold(slots(8), percent).err(), Some(refused));
        }
        for (percent, asks_at) in [(1, 0), (30, 2), (50, 3), (100, 7)] {
            let ring = Ring::with_threshold(slots(8), percent).unwrap();
            let mut producer = ring.producer().unwrap();
            for len in 0..=8 {
                assert_eq!(ring.len(), len);
                assert_eq!(ring.wants_refill(), len <= asks_at, "{percent} % of 8, {len} ready");
                producer.push(&[7]);
            }
        }
    }

    #[test]
    fn works_in_a_static() {
        static SLOTS: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
        let ring = Ring::new(&SLOTS).unwrap();
        assert_eq!(ring.take(), Err(Error::Empty));
        let mut producer = ring.producer().unwrap();
        assert_eq!(producer.push(&[1, 2, 3]), 2);
        assert_eq!((producer.free(), producer.push(&[3])), (0, 0));
        assert_eq!((ring.take(), ring.take(), ring.take()), (Ok(1), Ok(2), Err(Error::Empty)));
        assert!(ring.is_empty());
    }

    #[test]
    fn one_producer_at_a_time() {
        let ring = Ring::new(slots(4)).unwrap();
        let mut first = ring.producer().unwrap();
        assert!(ring.producer().is_none());
        assert!(ring.producer().is_none(), "a refusal must not free the place");
        first.push(&[1]);
        drop(first);
        ring.producer().unwrap().push(&[2]);
        assert_eq!((ring.take(), ring.take()), (Ok(1), Ok(2)));
    }

    #[derive(Clone, Debug)]
    enum Step {
        Push(usize),
        Take,
        TakeInto(usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0..40_usize).prop_map(Step::Push),
            Just(Step::Take),
            (0..40_usize).prop_map(Step::TakeInto),
        ]
    }

    proptest! {
        #[test]
        fn behaves_as_a_bounded_queue(
            bits in 0..6_u32,
            steps in prop::collection::vec(step(), 0..80),
        ) {
            let ring = Ring::new(slots(1 << bits)).unwrap();
            let mut producer = ring.producer().unwrap();
            let mut model = VecDeque::new();
            let mut ids = 1_u64..;
            for step in steps {
                match step {
                    Step::Push(count) => {
                        let batch: Vec<u64> = ids.by_ref().take(count).collect();
                        let pushed = producer.push(&batch);
                        prop_assert_eq!(pushed, count.min(ring.capacity() - model.len()));
                        model.extend(&batch[..pushed]);
                    }
                    Step::Take => prop_assert_eq!(ring.take().ok(), model.pop_front()),
                    Step::TakeInto(count) => {
                        let mut out = vec![0; count];
                        let taken = ring.take_into(&mut out);
                        prop_assert_eq!(taken, count.min(model.len()));
                        let expected: Vec<u64> = model.drain(..taken).collect();
                        prop_assert_eq!(&out[..taken], &expected[..]);
                        prop_assert!(out[taken..].iter().all(|&id| id == 0));
                    }
                }
                prop_assert_eq!(ring.len(), model.len());
                prop_assert_eq!(producer.free(), ring.capacity() - model.len());
            }
        }
    }

    /// Returns the IDs of a consumer, in the order in which it took them, singly or in runs.
    fn consume(ring: &Ring<Box<[AtomicU64]>>, run: usize, left: &AtomicU64) -> Vec<u64> {
        let mut got = Vec::new();
        let mut out = vec![0; run];
        while left.load(Relaxed) > 0 {
            let taken = if run == 1 {
                ring.take().map_or(0, |id| {
                    out[0] = id;
                    1
                })
            } else {
                ring.take_into(&mut out)
            };
            assert!(out[taken..].iter().all(|&id| id == 0) || run == 1);
            got.extend_from_slice(&out[..taken]);
            left.fetch_sub(taken as u64, Relaxed);
            if taken == 0 {
                thread::yield_now();
            }
            out.fill(0);
        }
        got
    }

    #[test]
    fn nothing_is_lost_or_doubled_between_threads() {
        const IDS: u64 = 200_000;
        for capacity in [1, 4, 256] {
            let ring = Ring::new(slots(capacity)).unwrap();
            let left = AtomicU64::new(IDS);
            let got: Vec<Vec<u64>> = thread::scope(|scope| {
                let consumers = [1, 3, 16].map(|run| {
                    scope.spawn({
                        let (ring, left) = (&ring, &left);
                        move || consume(ring, run, left)
                    })
                });
                let mut producer = ring.producer().unwrap();
                let mut next = 1;
                while next <= IDS {
                    let batch: Vec<u64> = (next..=IDS).take(100).collect();
                    next += producer.push(&batch) as u64;
                    thread::yield_now();
                }
                consumers.into_iter().map(|consumer| consumer.join().unwrap()).collect()
            });
            assert!(got.iter().all(|ids| ids.is_sorted()), "each consumer's IDs rise");
            let mut all = got.concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(1..=IDS));
        }
    }
}
