//! Segments over a store in memory, and how callers take numbers from them.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Arc;
use std::time::Duration;

use snowmint::engine::Step;
use snowmint::{Code, MemoryStore, Segment, SegmentStore, Tag, TagOptions};

const WAIT: Duration = Duration::from_secs(5);

fn segment(step: u64, stride: u64) -> Segment {
    let (store, tag) = (Arc::new(MemoryStore::new()), Tag::new("orders").unwrap());
    store.create_tag(&tag, TagOptions { step, stride, ..TagOptions::default() }).unwrap();
    Segment::builder(store, tag).step(Step::fixed(step).unwrap()).open().unwrap()
}

#[test]
fn what_is_at_hand_needs_no_wait() {
    let segment = segment(1000, 1);
    assert_eq!(segment.try_next_id(), None, "nothing is fetched before the first call");
    assert_eq!(segment.next_id().unwrap(), 1);
    assert_eq!(segment.try_next_id(), Some(2));
    let range = segment.try_next_range(10).unwrap();
    assert_eq!((range.start(), range.end()), (3, 13));
    segment.close();
    assert_eq!(segment.try_next_id(), None);
    assert!(segment.try_next_range(1).is_none());
}

#[test]
fn ranges_and_single_numbers_come_in_one_order() {
    let segment = segment(100, 7);
    let mut last = 0;
    for at_most in [1, 2, 99, 100, 1000] {
        let first = segment.next_id().unwrap();
        let range = segment.next_range(at_most, WAIT).unwrap();
        assert!(last < first && first < range.start(), "{last} {first} {range:?}");
        assert!(range.count() <= at_most, "{range:?}");
        last = range.numbers().last().unwrap();
    }
    let refusal = segment.next_range(0, WAIT).unwrap_err();
    assert_eq!(refusal.code(), Code::CountOutOfRange);
}
