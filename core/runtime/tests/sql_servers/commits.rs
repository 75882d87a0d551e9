//! Commits that are not confirmed: what they reserved is given up, whatever became of them.

use std::thread;
use std::time::Duration;

use snowmint::{
    AllocationRequest, Code, SegmentAdmin, SegmentStore, Tag, TagOptions, WorkerAdmin, WorkerStore,
};

use crate::asking::{call, long, orders, refused, request, take, take_within, wait_until};
use crate::commits::{EMPTIES, FILLS, NAPS};
use crate::proxy::{Fate, Proxy};
use crate::{blocked, database, other, through};

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

#[test]
fn a_disk_that_is_full_takes_nothing() {
    let database = database();
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    for fills in FILLS {
        database.run(fills);
        let message = refused(take(&store), Code::StoreFull);
        assert!(message.contains("make room"), "{message}");
        database.run(EMPTIES);
    }
    assert_eq!(take(&store).unwrap(), 11);
}

#[test]
fn a_statement_that_is_not_answered_reserves_nothing() {
    let database = database();
    database.run(NAPS);
    let store = other(&database);
    let message = refused(take_within(&store, Duration::from_millis(500)), Code::StoreUnavailable);
    assert!(message.contains("nothing was reserved"), "{message}");
    assert_eq!(store.tag(&orders()).unwrap().unwrap().next, 1);
}

/// Each of its statements may wait for a lock: all together no longer than one alone, and one alone
/// no shorter for the others.
#[test]
fn a_transaction_waits_for_all_its_locks_no_longer_than_for_one() {
    const WITHIN: Duration = Duration::from_secs(8);
    let database = database();
    let store = other(&database);
    store.create_tag(&Tag::new("z").unwrap(), TagOptions::default()).unwrap();
    let lock = |tag: &str| {
        let mut operator = database.session();
        let query = "SELECT 1 FROM snowmint_segment WHERE tag";
        operator.run(&format!("BEGIN; {query} = '{tag}' FOR UPDATE"));
        operator
    };
    for (is_locked, code) in [(false, None), (true, Some(Code::StoreLocked))] {
        let others = is_locked.then(|| lock("z"));
        let mut orders_lock = lock("orders");
        thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let requests =
                    ["orders", "z"].map(|tag| AllocationRequest::new(Tag::new(tag).unwrap(), None));
                store.allocate(&requests, &call(WITHIN))
            });
            wait_until("the one who waits", || blocked(&database) == 1);
            thread::sleep(WITHIN * 3 / 8);
            orders_lock.run("COMMIT");
            // With the same for each, the client would have to leave first.
            assert_eq!(waiting.join().unwrap().map_err(|it| it.code()).err(), code);
        });
        drop(others);
    }
    assert_eq!(store.tag(&orders()).unwrap().unwrap().next, 11);
}
