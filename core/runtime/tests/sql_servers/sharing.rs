//! Stores and calls that share a database.

use std::thread;
use std::time::Duration;

use snowmint::{
    AllocationRequest, Code, Error, SegmentAdmin, SegmentStore, Tag, TagChange, TagOptions,
    WorkerAdmin, WorkerStore,
};

use crate::asking::{long, orders, refused, request, take, take_within, wait_until};
use crate::{blocked, connections, database, failovers, other, store};

#[test]
fn stores_of_one_database_are_one_store() {
    let database = database();
    let (first, second) = (store(&database), other(&database));
    assert_eq!(take(&*first).unwrap(), 1);
    assert_eq!(take(&second).unwrap(), 11);
    drop(first);
    assert_eq!(take(&second).unwrap(), 21);
    assert_eq!(take(&*store(&database)).unwrap(), 31);
}

#[test]
fn grants_tell_the_incarnation_of_their_server() {
    let database = database();
    let store = other(&database);
    let told = failovers::incarnation_of(&database);
    let range = take_within(&store, Duration::from_secs(60)).unwrap();
    assert_eq!(range.incarnation.as_deref(), Some(told.as_str()));
    let lease = store.acquire(&request("a"), &long()).unwrap();
    assert_eq!(lease.incarnation.as_deref(), Some(told.as_str()));
    let renewed = store.renew(&lease, 1000, &long()).unwrap();
    assert_eq!(renewed.incarnation.as_deref(), Some(told.as_str()));
}

#[test]
fn one_tag_that_fails_does_not_fail_the_others() {
    let database = database();
    let store = other(&database);
    for name in ["a", "z"] {
        store.create_tag(&Tag::new(name).unwrap(), TagOptions::default()).unwrap();
    }
    let ask = |name: &str, count| AllocationRequest::new(Tag::new(name).unwrap(), count);
    let requests =
        [ask("z", None), ask("none", None), ask("a", Some(0)), ask("a", Some(7)), ask("z", None)];
    let answers = store.allocate(&requests, &long()).unwrap();
    let starts: Vec<_> = answers
        .iter()
        .map(|it| it.as_ref().map(|it| it.range.start()).map_err(Error::code))
        .collect();
    assert_eq!(starts, [Ok(1), Err(Code::UnknownTag), Err(Code::InvalidStep), Ok(1), Ok(1001)]);
}

/// An operator raises the tag so that its source goes on after the database was restored.
#[test]
fn an_operators_raise_is_counted() {
    let database = database();
    let store = other(&database);
    assert_eq!(store.tag(&orders()).unwrap().unwrap().raises, 0);
    let stepped = store.change_tag(&orders(), TagChange::default().step(5)).unwrap();
    assert_eq!(stepped.raises, 0);
    let raised = store.change_tag(&orders(), TagChange::default().next(100)).unwrap();
    assert_eq!((raised.raises, raised.next), (1, 100));
}

#[test]
fn a_call_that_waits_for_a_row_holds_up_no_other_call() {
    let database = database();
    let store = other(&database);
    let lease = store.acquire(&request("a"), &long()).unwrap();
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    thread::scope(|scope| {
        let waiting = scope.spawn(|| take(&store).unwrap());
        wait_until("the one who waits", || blocked(&database) == 1);
        store.renew(&lease, 1000, &long()).unwrap();
        operator.run("COMMIT");
        assert_eq!(waiting.join().unwrap(), 1);
    });
}

#[test]
fn a_lock_that_is_not_given_is_no_reason_to_leave() {
    let database = database();
    let store = other(&database);
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    let before = connections(&database);
    for _ in 0..3 {
        refused(take_within(&store, Duration::from_secs(4)), Code::StoreLocked);
    }
    assert_eq!(connections(&database), before, "connections were given up");
    operator.run("ROLLBACK");
    assert_eq!(take(&store).unwrap(), 1);
}

#[test]
fn a_process_has_so_many_connections_and_no_more() {
    let database = database();
    let store = other(&database);
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    let mut starts = thread::scope(|scope| {
        let waiting = [(); 4].map(|()| scope.spawn(|| take(&store).unwrap()));
        wait_until("those who wait", || blocked(&database) == 4);
        let late = take_within(&store, Duration::from_millis(300));
        let message = refused(late, Code::StoreUnavailable);
        assert!(message.contains("no connection left for this call"), "{message}");
        operator.run("COMMIT");
        waiting.map(|waiting| waiting.join().unwrap())
    });
    starts.sort_unstable();
    assert_eq!(starts, [1, 11, 21, 31]);
    assert_eq!(take(&store).unwrap(), 41);
}

#[test]
fn names_are_bytes_and_end_no_statement() {
    let database = database();
    let store = other(&database);
    for owner in ["a'; DROP TABLE snowmint_worker; --", "\\", "é \u{1f980}", "A", "a", "a "] {
        let lease = store.acquire(&request(owner), &long()).unwrap();
        assert_eq!(store.renew(&lease, 1000, &long()).unwrap().owner, owner);
        let rows = store.workers().unwrap();
        let row = rows.iter().find(|row| row.worker_id == lease.worker_id).unwrap();
        assert_eq!((row.owner.as_str(), row.epoch), (owner, 1));
    }
    assert_eq!(store.workers().unwrap().len(), 6);
}
