//! [`Ring`]: one producer, two consumers, more IDs than places.

use snowmint_models::Ring;
use snowmint_models::sync::Arc;
use snowmint_models::sync::atomic::AtomicU64;
use snowmint_models::thread;

use crate::explore;

type Slots = Vec<AtomicU64>;

fn ring(capacity: usize) -> Arc<Ring<Slots>> {
    let slots = (0..capacity).map(|_| AtomicU64::new(u64::MAX)).collect();
    Arc::new(Ring::new(slots).unwrap())
}

fn one(ring: &Ring<Slots>) -> Vec<u64> {
    ring.take().into_iter().collect()
}

fn several(ring: &Ring<Slots>, n: usize) -> Vec<u64> {
    let mut out = vec![0; n];
    let taken = ring.take_into(&mut out);
    assert!(out[taken..].iter().all(|&id| id == 0), "somebody else's IDs: {out:?}, {taken} taken");
    out.truncate(taken);
    out
}

/// Pushes the IDs after `last` up to `to`, as far as there is room, and gives the last one pushed.
fn push(ring: &Ring<Slots>, last: u64, to: u64) -> u64 {
    let ids: Vec<u64> = (last + 1..=to).collect();
    last + ring.producer().unwrap().push(&ids) as u64
}

/// Everything pushed came out once, each consumer's IDs in order, the rest last.
fn check(ring: &Ring<Slots>, taken: &[Vec<u64>], pushed: u64) {
    let rest: Vec<u64> = std::iter::from_fn(|| ring.take().ok()).collect();
    for ids in taken {
        assert!(ids.is_sorted_by(|a, b| a < b), "out of order: {taken:?}");
    }
    let mut all = taken.concat();
    all.sort_unstable();
    all.extend(&rest);
    assert!(all.iter().copied().eq(1..=pushed), "{pushed} pushed: {taken:?}, then {rest:?}");
}

/// Two consumers of single IDs around a ring of `capacity` places.
fn around(capacity: usize) {
    let ring = ring(capacity);
    let pushed = push(&ring, 0, capacity as u64);
    let consumers = [1, 2].map(|_| {
        let ring = Arc::clone(&ring);
        thread::spawn(move || [one(&ring), one(&ring)].concat())
    });
    let pushed = push(&ring, pushed, 4);
    let pushed = push(&ring, pushed, 5);
    let taken = consumers.map(|consumer| consumer.join().unwrap());
    check(&ring, &taken, pushed);
}

#[test]
fn around_one_place() {
    explore("ring::around_one_place", 3, || around(1));
}

#[test]
fn around_two_places() {
    explore("ring::around_two_places", 3, || around(2));
}

/// Runs of IDs, and one consumer that stops between reading and claiming while others go once
/// around the ring: what a claim by an earlier read cursor would miss.
#[test]
fn runs() {
    explore("ring::runs", 3, || {
        let ring = ring(2);
        let pushed = push(&ring, 0, 2);
        let other = Arc::clone(&ring);
        let run = thread::spawn(move || several(&other, 2));
        let other = Arc::clone(&ring);
        let single = thread::spawn(move || [one(&other), several(&other, 2)].concat());
        let pushed = push(&ring, pushed, 4);
        let pushed = push(&ring, pushed, 5);
        let taken = [run.join().unwrap(), single.join().unwrap()];
        check(&ring, &taken, pushed);
    });
}

/// The right to push passes from one thread to another.
#[test]
fn two_producers_in_turn() {
    explore("ring::two_producers_in_turn", 3, || {
        let ring = ring(2);
        let producers = [10, 20].map(|id| {
            let ring = Arc::clone(&ring);
            thread::spawn(move || match ring.producer() {
                Some(mut producer) => producer.push(&[id]),
                None => 0,
            })
        });
        let mut taken = one(&ring);
        let pushed: usize = producers.map(|producer| producer.join().unwrap()).iter().sum();
        taken.extend(std::iter::from_fn(|| ring.take().ok()));
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), pushed, "{taken:?}");
        assert!(taken.iter().all(|id| [10, 20].contains(id)), "{taken:?}");
    });
}
