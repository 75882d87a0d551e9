//! What tests of a database ask of its store, and how they wait.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use snowmint::{
    Allocation, AllocationRequest, Call, Code, LeaseRequest, Random as _, Result, SegmentStore,
    System, Tag,
};

pub(crate) mod failovers;
pub(crate) mod vouches;

pub(crate) fn orders() -> Tag {
    Tag::new("orders").unwrap()
}

pub(crate) fn call(within: Duration) -> Call {
    Call::new(within, System.token().unwrap())
}

pub(crate) fn long() -> Call {
    call(Duration::from_secs(60))
}

/// The next range, by a call that may take so long.
pub(crate) fn take_within(store: &dyn SegmentStore, within: Duration) -> Result<Allocation> {
    let request = AllocationRequest::new(orders(), None);
    store.allocate(&[request], &call(within))?.pop().unwrap()
}

/// The first number of the next range.
pub(crate) fn take(store: &dyn SegmentStore) -> Result<u64> {
    Ok(take_within(store, Duration::from_secs(60))?.range.start())
}

pub(crate) fn request(owner: &str) -> LeaseRequest {
    changed(LeaseRequest::new("realm", owner), |it| it.max_worker_id = 1023)
}

/// The same but for a part.
pub(crate) fn changed<T>(mut it: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut it);
    it
}

#[track_caller]
pub(crate) fn refused<T: Debug>(result: Result<T>, code: Code) -> String {
    let error = result.expect_err("this should have been refused");
    assert_eq!(error.code(), code, "{error}");
    error.to_string()
}

/// Waits until it is so; what never is ends the test.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what} never came");
        std::thread::sleep(Duration::from_millis(10));
    }
}
