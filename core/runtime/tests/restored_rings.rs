//! A ring that is filled while its process is restored.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise, too")]

mod by_hand;

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::thread::{sleep, spawn};
use std::time::Duration;

use snowmint::{
    MemoryStore, Mint, RingSource, Segment, SegmentAdmin, SegmentStore, Source, SqliteStore,
    StepSize, Tag, TagOptions, on_restore,
};

use by_hand::{ByHand, Hands};

fn segment(store: Arc<dyn SegmentStore>, host: &ByHand) -> Segment {
    let builder = Segment::builder(store, Tag::new("orders").unwrap());
    builder.step(StepSize::fixed(1_000).unwrap()).host(host.clone()).open().unwrap()
}

/// Sources forget one after the other. A ring that has forgotten must not fill itself again from a
/// source whose turn comes later.
#[test]
fn l10_a_ring_that_is_filled_during_a_restore_keeps_nothing_of_before() {
    let tag = Tag::new("orders").unwrap();
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::create(directory.path().join("ids.db")).unwrap());
    let elsewhere = Arc::new(MemoryStore::new());
    store.create_tag(&tag, TagOptions::default()).unwrap();
    elsewhere.create_tag(&tag, TagOptions::default()).unwrap();
    let (host, standing) = (Hands::default(), Hands::default());
    let orders = Source::Segment(segment(store.clone(), &host));
    let ring = RingSource::builder(orders).capacity(16).host(host.clone()).open().unwrap();
    let other = segment(elsewhere, &standing);
    // A source's turn comes in the order of first calls: the ring, another, the ring's source.
    ring.next_id_within(Duration::ZERO).unwrap_err();
    drop(other.poll_id().unwrap());
    while ring.stats().buckets[0].left < 10 {
        drop(ring.next_id_within(Duration::from_secs(60)));
    }
    let before = store.tag(&tag).unwrap().unwrap().next;

    standing.stands.store(true, SeqCst);
    let caller = spawn(move || drop(other.poll_id()));
    while !standing.stood.load(SeqCst) {
        sleep(Duration::from_millis(1));
    }
    let restoring = spawn(on_restore);
    while ring.stats().buckets[0].left > 0 {
        sleep(Duration::from_millis(1));
    }
    assert_eq!(ring.try_next_id(), None);
    host.rounds();
    standing.stands.store(false, SeqCst);
    restoring.join().unwrap();
    caller.join().unwrap();
    let first = ring.next_id().unwrap();
    assert!(first >= before, "{first} is of the image before, whose numbers end at {before}");
}
