//! Servers that keep values: that go back, are killed, or whose answers are lost.

use std::time::Duration;

use snowmint::{Code, MAX_RESERVE_MS, Mint, SegmentAdmin, Store, TagChange, open, open_store};

use super::asking::{changed, long, orders, patiently, refused, request, take, wait_until};

/// The row of the tag `orders` on a server, read and written around our store.
pub(crate) struct Row<'a> {
    pub(crate) read: &'a dyn Fn() -> String,
    pub(crate) write: &'a dyn Fn(&str),
}

/// It had numbers above.
pub(crate) fn a_source_of_what_went_back_stops_until_its_tag_is_raised(
    url: &str,
    store: &dyn SegmentAdmin,
    row: &Row<'_>,
) {
    let before = (row.read)();
    let source = open(url).unwrap();
    let mut last = 0;
    for _ in 0..50 {
        last = source.next_id().unwrap();
    }
    (row.write)(&before);
    let error = loop {
        match source.next_id() {
            Ok(number) => {
                assert!(number > last);
                last = number;
            }
            Err(error) if error.code() == Code::WaitTimeout => {}
            Err(error) => break error,
        }
    };
    assert_eq!(error.code(), Code::RangeRegressed);
    store.change_tag(&orders(), TagChange::default().next(1_000)).unwrap();
    wait_until("a number", || source.next_id().is_ok_and(|number| number >= 1_000));
}

/// As the documents say: only who had numbers can tell.
pub(crate) fn a_row_put_back_repeats_for_a_new_store(
    new: &dyn Fn() -> Box<dyn Store>,
    row: &Row<'_>,
) {
    let before = (row.read)();
    let first = take(&*new()).unwrap();
    (row.write)(&before);
    assert_eq!(take(&*new()).unwrap(), first);
}

pub(crate) fn a_server_that_was_killed_lacks_nothing(
    new: &dyn Fn() -> Box<dyn Store>,
    mut restart: impl FnMut(),
) {
    let store = new();
    // The reservation lasts longer than the restarts.
    let lasting = changed(request("a"), |it| it.reserve_ms = MAX_RESERVE_MS);
    let lease = store.acquire(&lasting, &long()).unwrap();
    for round in 0..3 {
        assert_eq!(take(&*store).unwrap(), 1 + 10 * round);
        restart();
    }
    let again = new().acquire(&request("b"), &long()).unwrap();
    assert_ne!(again.worker_id, lease.worker_id);
    store.renew(&lease, MAX_RESERVE_MS, &long()).unwrap();
}

/// A lease whose answer was lost stays taken, and a renewal is found again by a repeat.
pub(crate) fn lost_answers_are_asked_for_again(store: &dyn Store, lose_the_next_answer: impl Fn()) {
    // The first one of a key space is a change of its mark as well.
    store.acquire(&request("first"), &long()).unwrap();
    let attempt = long();
    lose_the_next_answer();
    refused(store.acquire(&request("a"), &attempt), Code::OutcomeUnknown);
    let lease = store.acquire(&request("a"), &attempt).unwrap();
    assert_eq!(store.workers().unwrap().len(), 3);
    let renewal = long();
    lose_the_next_answer();
    refused(store.renew(&lease, 60_000, &renewal), Code::OutcomeUnknown);
    store.renew(&lease, 60_000, &renewal).unwrap();
    refused(store.renew(&lease, 60_000, &long()), Code::LeaseLost);
}

/// Once a process knows that nobody else changes a row: what `count` tells of, and nothing else.
pub(crate) fn a_row_that_nobody_else_changes_is_changed_by_one_question(
    store: &dyn Store,
    count: &dyn Fn() -> u64,
) {
    let mut lease = store.acquire(&request("a"), &long()).unwrap();
    for _ in 0..2 {
        take(store).unwrap();
        lease = store.renew(&lease, 60_000, &long()).unwrap();
    }
    let before = count();
    for _ in 0..3 {
        take(store).unwrap();
    }
    assert_eq!(count() - before, 3);
    let reserved_ms = lease.reserved_ms;
    for _ in 0..3 {
        lease = store.renew(&lease, 60_000, &long()).unwrap();
    }
    assert_eq!(count() - before, 6);
    assert!(lease.reserved_ms >= reserved_ms);
}

/// A store checks its memory of rows against the server.
pub(crate) fn rows_that_others_changed_are_read_again(
    new: &dyn Fn() -> Box<dyn Store>,
    empty: impl FnOnce(),
) {
    let (first, second) = (new(), new());
    let starts: Vec<_> = (0..4).map(|_| take(&*first).unwrap()).collect();
    assert_eq!(starts, [1, 11, 21, 31]);
    assert_eq!(take(&*second).unwrap(), 41);
    assert_eq!(take(&*first).unwrap(), 51);
    let mut lease = first.acquire(&request("a"), &long()).unwrap();
    for _ in 0..3 {
        lease = first.renew(&lease, 60_000, &long()).unwrap();
    }
    assert!(second.evict(&lease.realm, lease.worker_id).unwrap());
    refused(first.renew(&lease, 60_000, &long()), Code::LeaseLost);
    for _ in 0..3 {
        take(&*first).unwrap();
    }
    first.change_tag(&orders(), TagChange::default().max(100)).unwrap();
    assert_eq!(take(&*first).unwrap(), 91);
    refused(take(&*first), Code::TagExhausted);
    second.change_tag(&orders(), TagChange::default().max(1_000)).unwrap();
    let starts: Vec<_> = (0..3).map(|_| take(&*first).unwrap()).collect();
    assert_eq!(starts, [101, 111, 121]);
    empty();
    refused(take(&*first), Code::StoreMissing);
}

/// Its files are those of before, and its name is the same.
#[allow(dead_code, reason = "of stores that tell how far they have come")]
pub(crate) fn a_store_that_went_back_is_refused(
    new: &dyn Fn() -> Box<dyn Store>,
    restart_with_files: &mut dyn FnMut(&str),
) {
    let store = new();
    assert_eq!(take(&*store).unwrap(), 1);
    restart_with_files("keep");
    assert_eq!(patiently(|| take(&*store)), 11);
    restart_with_files("back");
    let is_refused = || take(&*store).is_err_and(|it| it.code() == Code::IncarnationChanged);
    wait_until("the refusal", is_refused);
    // Even once as much was done as before.
    for _ in 0..5 {
        patiently(|| take(&*new()));
    }
    refused(take(&*store), Code::IncarnationChanged);
    refused(store.acquire(&request("a"), &long()), Code::IncarnationChanged);
}

pub(crate) fn stores_of_one_server_are_one_store(url: &str, new: &dyn Fn() -> Box<dyn Store>) {
    let (first, second) = (open_store(url).unwrap(), new());
    assert_eq!(take(&*first).unwrap(), 1);
    assert_eq!(take(&*second).unwrap(), 11);
    drop(first);
    assert_eq!(take(&*second).unwrap(), 21);
    assert_eq!(take(&*open_store(url).unwrap()).unwrap(), 31);
}

/// Sources of all kinds.
pub(crate) fn sources_mint_by_url(url: &str, store: &dyn Store) {
    let orders = open(&format!("segment+{url}?tag=orders")).unwrap();
    assert_eq!((orders.next_id().unwrap(), orders.next_id().unwrap()), (1, 2));
    let flake = open(&format!("snowflake+{url}")).unwrap();
    assert!(flake.next_id().unwrap() < flake.next_id().unwrap());
    let held = || store.workers().unwrap().iter().filter(|row| row.held).count();
    assert_eq!(held(), 1);
    flake.close_within(Duration::from_secs(60)).unwrap();
    assert_eq!(held(), 0);
}
