//! Commits that are not confirmed: what they reserved is given up, whatever became of them.

use std::time::Duration;

use snowmint::{Code, SegmentStore, WorkerAdmin, WorkerStore};

use crate::asking::{long, orders, refused, request, take, take_within, wait_until};
use crate::proxy::{Fate, Proxy};
use crate::{database, other, through};

#[test]
fn a_lost_answer_is_unknown_and_its_range_given_up() {
    let database = database();
    let proxy = Proxy::before(&database);
    let store = through(&proxy, &database);
    let mut expected = 1;
    for fate in [Fate::Lost, Fate::Unanswered, Fate::Passed, Fate::Unanswered, Fate::Lost] {
        proxy.next(fate);
        match fate {
            Fate::Passed => assert_eq!(take(&store).unwrap(), expected),
            _ => drop(refused(take(&store), Code::OutcomeUnknown)),
        }
        // Only the test knows that a commit that the server never heard of reserved nothing.
        expected += if fate == Fate::Lost { 0 } else { 10 };
        let is_there = || store.tag(&orders()).unwrap().unwrap().next == expected;
        wait_until("the commit without an answer", is_there);
    }
    assert_eq!(take(&store).unwrap(), expected);
}

#[test]
fn lost_answers_are_asked_for_again() {
    let database = database();
    let proxy = Proxy::before(&database);
    let store = through(&proxy, &database);
    let attempt = long();
    for fate in [Fate::Lost, Fate::Unanswered, Fate::Unanswered] {
        proxy.next(fate);
        refused(store.acquire(&request("a"), &attempt), Code::OutcomeUnknown);
    }
    let lease = store.acquire(&request("a"), &attempt).unwrap();
    assert_eq!(store.workers().unwrap().len(), 3);
    let renewal = long();
    for _ in 0..2 {
        proxy.next(Fate::Unanswered);
        refused(store.renew(&lease, 1000, &renewal), Code::OutcomeUnknown);
    }
    let renewed = store.renew(&lease, 1000, &renewal).unwrap();
    assert_eq!((renewed.epoch, renewed.token), (lease.epoch, renewal.attempt));
}

#[test]
fn a_commit_without_an_answer_in_time_is_unknown() {
    let database = database();
    let proxy = Proxy::before(&database);
    let store = through(&proxy, &database);
    proxy.next(Fate::Withheld);
    let late = take_within(&store, Duration::from_millis(500));
    let message = refused(late, Code::OutcomeUnknown);
    assert!(message.contains("in time"), "{message}");
    // Its connection was closed, and its row is free again.
    assert_eq!(take(&store).unwrap(), 1);
}

#[test]
fn a_call_without_time_reserves_nothing() {
    let database = database();
    let store = other(&database);
    for _ in 0..3 {
        refused(take_within(&store, Duration::ZERO), Code::StoreUnavailable);
    }
    assert_eq!(take(&store).unwrap(), 1);
}
