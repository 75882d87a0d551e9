//! Tests of the statistics of sources.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::sleep;
use std::time::{Duration, Instant};

use snowmint::{
    Allocation, AllocationRequest, Call, Code, Error, Layout, MemoryStore, Mint, Result, Segment,
    SegmentAdmin, SegmentStore, Snowflake, Source, StepSize, Tag, TagOptions, TagRow, WorkerId,
};

/// A store of numbers that can go down.
#[derive(Default)]
struct Breakable {
    store: MemoryStore,
    is_down: AtomicBool,
}

impl SegmentStore for Breakable {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        if self.is_down.load(SeqCst) {
            return Err(Error::new(Code::StoreUnavailable, "down"));
        }
        self.store.allocate(requests, call)
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.store.tag(tag)
    }
}

fn until(ready: impl Fn() -> bool) {
    let begun = Instant::now();
    while !ready() {
        assert!(begun.elapsed() < Duration::from_secs(300), "this never happens");
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_segment_tells_its_ranges_its_pace_and_its_failure() {
    let (store, tag) = (Arc::new(Breakable::default()), Tag::new("orders").unwrap());
    store.store.create_tag(&tag, TagOptions::default()).unwrap();
    let orders = Segment::builder(store.clone(), tag).step(StepSize::fixed(100).unwrap());
    let orders = orders.wait(Duration::from_millis(50)).open().unwrap();
    let stats = orders.stats();
    assert_eq!((stats.kind, stats.at_hand(), stats.worker_id), ("segment", 0, None));
    assert_eq!((stats.rate, stats.runway_ms, stats.last_failure), (None, None, None));
    until(|| orders.next_ids(30).is_ok());
    until(|| orders.stats().buckets.len() == 2);
    let stats = orders.stats();
    let buckets: Vec<_> = stats.buckets.iter().map(|bucket| (bucket.left, bucket.size)).collect();
    assert_eq!(buckets, [(70, 100), (100, 100)]);
    assert_eq!((stats.step, stats.at_hand()), (Some(100), 170));
    assert!(stats.rate.is_some());
    let asked = orders.stats();
    assert_eq!(
        (asked.buckets, asked.step),
        (stats.buckets, stats.step),
        "a question changes nothing"
    );

    store.is_down.store(true, SeqCst);
    until(|| orders.next_id().is_err());
    let failure = orders.stats().last_failure.unwrap();
    assert_eq!((failure.code, failure.is_over), (Code::StoreUnavailable, false));
    assert!(failure.unix_ms > 1_700_000_000_000 && failure.message.contains("down"));
    store.is_down.store(false, SeqCst);
    until(|| orders.next_id().is_ok());
    until(|| orders.stats().last_failure.unwrap().is_over);
    orders.close().unwrap();
    assert!(orders.stats().is_closed);
}

#[test]
fn a_generator_tells_its_lease_and_its_time() {
    let store = Arc::new(MemoryStore::new());
    let flake = Snowflake::builder().lease_from(store).open().unwrap();
    let id = flake.next_id().unwrap();
    let stats = flake.stats();
    let worker_id = Layout::TWITTER.decode(id).unwrap().worker_id;
    assert_eq!((stats.kind, stats.worker_id), ("snowflake", Some(worker_id)));
    assert!((1..=3_000).contains(&stats.reserved_ms.unwrap()), "{stats:?}");
    assert_eq!(stats.reserve_ms, Some(2_000), "of a lease that is new");
    assert!(stats.clock_offset_ms.is_some() && stats.lease_age_ms.is_some());
    assert_eq!((stats.rollbacks, stats.buckets.len()), (0, 0));
    flake.close().unwrap();
    let closed = flake.stats();
    assert_eq!((closed.is_closed, closed.worker_id), (true, None));
}

#[test]
fn a_fixed_worker_id_tells_them_too() {
    let directory = tempfile::tempdir().unwrap();
    let flake =
        Snowflake::builder().worker_id(WorkerId::Fixed(7)).state_directory(directory.path());
    let flake = Source::Snowflake(flake.open().unwrap());
    flake.next_id().unwrap();
    let stats = flake.stats();
    assert_eq!((stats.kind, stats.worker_id), ("snowflake", Some(7)));
    assert!(stats.reserved_ms.is_some() && stats.last_failure.is_none());
    assert_eq!(stats.reserve_ms, None, "its mark is renewed only while it is used");
    let uuids = snowmint::open("uuid:?version=7").unwrap();
    assert_eq!((uuids.stats().kind, uuids.stats().at_hand()), ("uuid", 0));
}
