//! Segments over a store in memory, and how callers take numbers from them.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::thread::{sleep, spawn};
use std::time::Duration;

use snowmint::engine::{NumberRange, StepSize};
use snowmint::{
    Allocation, AllocationRequest, Call, Code, MemoryStore, Mint, Prefetch, Result, Segment,
    SegmentAdmin, SegmentStore, Tag, TagOptions, TagRow,
};

const WAIT: Duration = Duration::from_secs(5);

fn segment(step: u64, stride: u64) -> Segment {
    let (store, tag) = (Arc::new(MemoryStore::new()), Tag::new("orders").unwrap());
    store.create_tag(&tag, TagOptions::default().step(step).stride(stride)).unwrap();
    Segment::builder(store, tag).step(StepSize::fixed(step).unwrap()).open().unwrap()
}

#[test]
fn numbers_at_hand_are_given_without_waiting() {
    let segment = segment(1000, 1);
    assert_eq!(segment.try_next_id(), None, "nothing is fetched before the first call");
    assert_eq!(segment.next_id().unwrap(), 1);
    assert_eq!(segment.try_next_id(), Some(2));
    let range = segment.try_next_range(10).unwrap();
    assert_eq!((range.start(), range.end()), (3, 13));
    segment.close().unwrap();
    assert_eq!(segment.try_next_id(), None);
    assert!(segment.try_next_range(1).is_none());
}

/// Nobody is told that a store is slow which was just asked for the first time.
#[test]
fn a_first_range_that_is_not_there_yet_says_so() {
    let error = segment(1000, 1).next_id_within(Duration::ZERO).unwrap_err();
    assert_eq!(error.code(), Code::WaitTimeout);
    assert!(error.to_string().contains("first range of tag \"orders\" is still"), "{error}");
}

/// As the documentation says of ranges that a failover may lose.
#[test]
fn a_range_is_as_long_as_one_call_takes_and_the_next_no_longer() {
    const MANY: usize = 2_500_000;
    let (store, tag) = (Arc::new(MemoryStore::new()), Tag::new("orders").unwrap());
    store.create_tag(&tag, TagOptions::default()).unwrap();
    let segment = Segment::builder(store.clone(), tag.clone()).open().unwrap();
    let reserved = || store.tag(&tag).unwrap().unwrap().next - 1;
    assert_eq!(segment.next_ids(MANY).unwrap().len(), MANY);
    let many = MANY as u64;
    assert!(reserved() >= many);
    // The next one, where it is asked for by now.
    sleep(Duration::from_millis(200));
    assert!(reserved() <= 2 * many + 1_000_000, "{}", reserved());
    segment.close().unwrap();
}

/// A chain keeps so many ranges behind the one in use, even if nobody asks for more.
#[test]
fn a_chain_keeps_its_distance() {
    let (store, tag) = (Arc::new(MemoryStore::new()), Tag::new("orders").unwrap());
    store.create_tag(&tag, TagOptions::default()).unwrap();
    let builder = Segment::builder(store.clone(), tag.clone()).step(StepSize::fixed(10).unwrap());
    let segment = builder.prefetch(Prefetch::Chain { distance: 4 }).open().unwrap();
    let reserved = || store.tag(&tag).unwrap().unwrap().next - 1;
    for (minted, ranges) in [(1, 5), (9, 5), (1, 6), (10, 7)] {
        segment.next_ids(minted).unwrap();
        // As many as it takes, and then no more.
        let came = (0..20_000).find(|_| {
            sleep(Duration::from_millis(1));
            reserved() >= 10 * ranges
        });
        assert!(came.is_some(), "{} after {minted} more", reserved());
        sleep(Duration::from_millis(20));
        assert_eq!(reserved(), 10 * ranges);
    }
}

/// A call under way puts no range in place once the segment is closed.
#[test]
fn nothing_is_minted_after_the_end() {
    for round in 0..300 {
        let segment = segment(10, 1);
        let ended = Arc::new(AtomicBool::new(false));
        let minters = [0; 3].map(|_| {
            let (segment, ended) = (segment.clone(), Arc::clone(&ended));
            spawn(move || {
                loop {
                    let after_the_end = ended.load(SeqCst);
                    if segment.next_id().is_err() {
                        break;
                    }
                    assert!(!after_the_end);
                }
            })
        });
        sleep(Duration::from_micros(10 * round));
        segment.close().unwrap();
        ended.store(true, SeqCst);
        for minter in minters {
            minter.join().unwrap();
        }
    }
}

/// A store that gives the same numbers again and again, and takes its time to say how its tags are.
struct GoesBack {
    tags: MemoryStore,
    looks: AtomicU32,
}

impl SegmentStore for GoesBack {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        _: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        let again = |_| Ok(Allocation::new(NumberRange::new(1, 11, 1)?, 10));
        Ok(requests.iter().map(again).collect())
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        sleep(Duration::from_millis(50));
        self.looks.fetch_add(1, SeqCst);
        self.tags.tag(tag)
    }
}

/// The source reads the number of raises before it fails, so that it notices every later raise.
#[test]
fn a_tag_that_went_back_is_told_after_its_row_was_looked_at() {
    let (tags, tag) = (MemoryStore::new(), Tag::new("orders").unwrap());
    tags.create_tag(&tag, TagOptions::default().step(10)).unwrap();
    let store = Arc::new(GoesBack { tags, looks: AtomicU32::new(0) });
    let segment = Segment::builder(store.clone(), tag).wait(WAIT).open().unwrap();
    let before = store.looks.load(SeqCst);
    let refused = std::iter::repeat_with(|| segment.next_id()).find_map(Result::err).unwrap();
    assert_eq!(refused.code(), Code::RangeRegressed);
    assert!(store.looks.load(SeqCst) > before);
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
