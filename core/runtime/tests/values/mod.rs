//! Servers that keep values: that go back, are killed, or whose answers are lost.

use snowmint::{Code, SegmentAdmin, Store, TagChange, open};

use super::asking::{long, orders, refused, request, take, wait_until};

/// What a server keeps of the tag `orders`, for somebody who goes round us.
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
pub(crate) fn what_went_back_repeats_for_whoever_is_new(
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
    let lease = store.acquire(&request("a"), &long()).unwrap();
    for round in 0..3 {
        assert_eq!(take(&*store).unwrap(), 1 + 10 * round);
        restart();
    }
    let again = new().acquire(&request("b"), &long()).unwrap();
    assert_ne!(again.worker_id, lease.worker_id);
    store.renew(&lease, 60_000, &long()).unwrap();
}

/// A lease that was granted is found again by a repeat of its attempt.
pub(crate) fn a_repeat_of_an_attempt_gets_what_it_got_before(
    store: &dyn Store,
    lose_the_next_answer: impl Fn(),
) {
    let attempt = long();
    lose_the_next_answer();
    refused(store.acquire(&request("a"), &attempt), Code::OutcomeUnknown);
    let lease = store.acquire(&request("a"), &attempt).unwrap();
    assert_eq!(store.workers().unwrap().len(), 1);
    let renewal = long();
    lose_the_next_answer();
    refused(store.renew(&lease, 60_000, &renewal), Code::OutcomeUnknown);
    store.renew(&lease, 60_000, &renewal).unwrap();
    refused(store.renew(&lease, 60_000, &long()), Code::LeaseLost);
}
