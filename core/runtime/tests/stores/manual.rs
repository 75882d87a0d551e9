//! Tests that need a clock under the test's control, on the store in memory.

use super::histories::{Dice, History};
use super::*;

#[test]
fn no_step_of_the_clock_makes_leases_overlap() {
    let (mut grants, mut losses) = (0, 0);
    for seed in 0..200 {
        let clock = ManualClock::at(1_000_000);
        let store = MemoryStore::with_clock(clock.clone());
        let (mut history, mut dice) = (History::new(&store, seed), Dice::new(seed + 1000));
        for _ in 0..300 {
            history.step();
            match dice.below(40) {
                0 => clock.step(-i64::from(dice.below(100))),
                1 => clock.step(i64::from(dice.below(100))),
                n => clock.step(i64::from(n % 4)),
            }
        }
        grants += history.grants;
        losses += history.losses;
    }
    assert!(grants > 2_000 && losses > 200, "{grants} grants, {losses} losses");
}

#[test]
fn a_lease_is_held_until_the_millisecond_it_expires() {
    let bench = Memory::new();
    let first = bench.store.acquire(&request("a", 0), &fresh()).unwrap();
    bench.clock.step(i64::from(MINUTE_MS) - 1);
    let message = refused(bench.store.acquire(&request("b", 0), &fresh()), Code::WorkersExhausted);
    assert!(message.contains("free in 1 ms"), "{message}");
    assert!(bench.store.workers().unwrap()[0].held);
    bench.clock.step(1);
    assert!(!bench.store.workers().unwrap()[0].held);
    let second = bench.store.acquire(&request("b", 0), &fresh()).unwrap();
    assert_above(&second, &first);
    assert_eq!(second.floor_ms, first.reserved_ms);
}

#[test]
fn a_quarter_of_the_reservation_must_be_left() {
    let left = |reserve_ms: u32, ahead_ms: i64| {
        let bench = Memory::new();
        let lease = bench.store.acquire(&request("a", 0), &fresh()).unwrap();
        bench.store.release(&lease, &fresh()).unwrap();
        bench.clock.step(i64::from(MINUTE_MS) - ahead_ms);
        let patient = changed(request("b", 0), |it| {
            it.reserve_ms = reserve_ms;
            it.max_ahead_ms = u32::MAX;
        });
        bench.store.acquire(&patient, &fresh()).map(|lease| lease.reserved_ms - lease.floor_ms)
    };
    assert_eq!(left(1000, 750).unwrap(), 250);
    let message = refused(left(1000, 751), Code::WorkersExhausted);
    assert!(message.contains("free in 1 ms"), "{message}");
    // A quarter is not rounded down.
    assert_eq!(left(1001, 750).unwrap(), 251);
    refused(left(1001, 751), Code::WorkersExhausted);
    assert_eq!(left(1, 0).unwrap(), 1);
    refused(left(1, 1), Code::WorkersExhausted);
}

#[test]
fn the_floor_lies_no_further_ahead_than_asked() {
    let bench = Memory::new();
    let lease = bench.store.acquire(&request("a", 0), &fresh()).unwrap();
    bench.store.release(&lease, &fresh()).unwrap();
    let within = |max_ahead_ms| {
        changed(request("b", 0), |it| {
            it.reserve_ms = HOUR_MS;
            it.max_ahead_ms = max_ahead_ms;
        })
    };
    refused(bench.store.acquire(&within(MINUTE_MS - 1), &fresh()), Code::WorkersExhausted);
    assert_above(&bench.store.acquire(&within(MINUTE_MS), &fresh()).unwrap(), &lease);
}

#[test]
fn a_clock_that_was_far_ahead_costs_the_worker_id_not_uniqueness() {
    let bench = Memory::new();
    bench.clock.step(1_000_000_000);
    let poisoned = bench.store.acquire(&request("a", 1), &fresh()).unwrap();
    bench.clock.step(-1_000_000_000);
    let renewed = bench.store.renew(&poisoned, MINUTE_MS, &attempt(token(2))).unwrap();
    assert_eq!(renewed.reserved_ms, poisoned.reserved_ms);
    bench.store.release(&renewed, &fresh()).unwrap();
    assert_eq!(bench.store.acquire(&request("b", 1), &fresh()).unwrap().worker_id, 1);
    refused(bench.store.acquire(&request("c", 1), &fresh()), Code::WorkersExhausted);
}

#[test]
fn clocks_at_the_ends_of_time_do_not_panic() {
    for ms in [i64::MIN, -1, 0, i64::MAX] {
        let store = MemoryStore::with_clock(ManualClock::at(ms));
        for _ in 0..3 {
            let patient = changed(request("a", 1), |it| it.max_ahead_ms = u32::MAX);
            if let Ok(lease) = store.acquire(&patient, &fresh()) {
                store.renew(&lease, HOUR_MS, &attempt(token(2))).unwrap();
                store.release(&lease, &fresh()).unwrap();
            }
        }
        store.workers().unwrap();
    }
}
