//! Segments that hold enough numbers for a store that is away.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise, too")]

mod by_hand;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use snowmint::{
    Allocation, AllocationRequest, Call, Code, Error, MemoryStore, Mint, Prefetch, Result, Segment,
    SegmentAdmin, SegmentBuilder, SegmentStore, StepSize, Tag, TagOptions, TagRow,
};

use by_hand::{ByHand, Hands};

const RUNWAY: Duration = Duration::from_secs(60);
const A_SECOND: u64 = 100_000;

/// A store that can be away.
#[derive(Default)]
struct Store {
    rows: MemoryStore,
    is_away: AtomicBool,
    /// The delay that it answers with instead of a range, and the number of requests.
    says_ms: AtomicU64,
    asked: AtomicU64,
}

impl SegmentStore for Store {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.asked.fetch_add(1, SeqCst);
        match self.says_ms.load(SeqCst) {
            0 => {}
            said_ms => {
                return Err(Error::new(Code::Overloaded, "too many ask").ask_again_in(said_ms));
            }
        }
        if self.is_away.load(SeqCst) {
            return Err(Error::new(Code::StoreUnavailable, "away"));
        }
        self.rows.allocate(requests, call)
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.rows.tag(tag)
    }
}

fn builder() -> (Arc<Store>, SegmentBuilder) {
    let (store, tag) = (Arc::new(Store::default()), Tag::new("orders").unwrap());
    store.rows.create_tag(&tag, TagOptions::default()).unwrap();
    (store.clone(), Segment::builder(store, tag))
}

/// Takes numbers at a steady pace, and says at which second there was none.
fn mint(segment: &Segment, host: &ByHand, seconds: u64, wait: Duration) -> Option<u64> {
    for tenth in 0..seconds * 10 {
        let mut left = A_SECOND / 10;
        while left > 0 {
            match segment.next_range(left, wait) {
                Ok(range) => left -= range.count(),
                Err(_) => return Some(tenth / 10),
            }
        }
        host.pass(100);
    }
    None
}

#[test]
fn a_store_may_be_away_for_as_long_as_the_runway() {
    let prefetches = [Prefetch::LEAF, Prefetch::NETEASE, Prefetch::COSID];
    for (prefetch, percent) in prefetches.into_iter().zip([90, 20, 200]) {
        assert_eq!(prefetch.ready_percent(), percent);
        let (store, builder) = builder();
        let host = Hands::default();
        let builder = builder.runway(RUNWAY).prefetch(prefetch).host(host.clone());
        let segment = builder.open().unwrap();
        assert_eq!(mint(&segment, &host, 1_000, Duration::from_secs(5)), None);
        for away_at in 0..20 {
            store.is_away.store(true, SeqCst);
            let ended = mint(&segment, &host, RUNWAY.as_secs(), Duration::ZERO);
            assert_eq!(ended, None, "{prefetch:?}, in the {away_at}th time");
            store.is_away.store(false, SeqCst);
            assert_eq!(mint(&segment, &host, 17, Duration::from_secs(5)), None);
        }
        let lasts_ms = segment.stats().runway_ms.unwrap();
        assert!((60_000..1_300_000).contains(&lasts_ms), "{prefetch:?}: {lasts_ms}");
    }
}

/// Leaf's bound of a million lasts ten seconds at this pace.
#[test]
fn without_a_runway_the_store_may_be_away_for_less() {
    let (store, builder) = builder();
    let host = Hands::default();
    let segment = builder.host(host.clone()).open().unwrap();
    assert_eq!(mint(&segment, &host, 1_000, Duration::from_secs(5)), None);
    store.is_away.store(true, SeqCst);
    let ended = mint(&segment, &host, RUNWAY.as_secs(), Duration::ZERO);
    assert!(ended.is_some_and(|second| second <= 20), "{ended:?}");
}

#[test]
fn a_runway_that_cannot_be_kept_is_refused() {
    let whole = Prefetch::DoubleBucket { used_percent: 100 };
    let day = Duration::from_secs(24 * 60 * 60);
    let refused = |builder: SegmentBuilder, says: &str| {
        let error = builder.open().unwrap_err();
        assert_eq!(error.code(), Code::InvalidParameter);
        assert!(error.to_string().contains(says), "{error}");
    };
    refused(builder().1.runway(Duration::ZERO), "use 1ms to 24h");
    refused(builder().1.runway(day + Duration::from_millis(1)), "use 1ms to 24h");
    refused(builder().1.runway(RUNWAY).prefetch(whole), "use 99 or less");
    refused(builder().1.runway(RUNWAY).step(StepSize::fixed(1).unwrap()), "set one of them");
    drop(builder().1.runway(day).open().unwrap());
}

/// The numbers at hand when a request fails are not used up before the next one.
#[test]
fn a_request_that_failed_is_made_again_before_numbers_run_out() {
    let (store, builder) = builder();
    let host = Hands::default();
    let segment = builder.step(StepSize::fixed(100).unwrap()).host(host.clone()).open().unwrap();
    let wait = Duration::from_secs(5);
    assert_eq!(segment.next_range(10, wait).unwrap().start(), 1);
    store.is_away.store(true, SeqCst);
    assert_eq!(segment.next_range(1, wait).unwrap().start(), 11);
    host.pass(1);
    assert_eq!(segment.stats().last_failure.unwrap().code, Code::StoreUnavailable);
    store.is_away.store(false, SeqCst);
    host.pass(1_000);
    store.is_away.store(true, SeqCst);
    let mut left = 180;
    while left > 0 {
        left -= segment.next_range(left, Duration::ZERO).unwrap().count();
    }
}

/// And no later; what nobody would wait for is not believed.
#[test]
fn a_store_that_says_when_is_asked_no_sooner() {
    let (store, builder) = builder();
    let host = Hands::default();
    let segment = builder.step(StepSize::fixed(1).unwrap()).host(host.clone()).open().unwrap();
    segment.next_id().unwrap();
    for (said_ms, left_alone_ms) in [(20_000, 20_000), (u64::MAX, 60_000)] {
        store.says_ms.store(said_ms, SeqCst);
        let error = loop {
            match segment.next_id_within(Duration::ZERO) {
                Err(error) if error.code() == Code::Overloaded => break error,
                _ => host.pass(1),
            }
        };
        assert_eq!(error.wait_ms(), Some(said_ms));
        assert!(error.is_transient());
        let asked = store.asked.load(SeqCst);
        store.says_ms.store(0, SeqCst);
        for _ in 0..left_alone_ms / 1_000 - 1 {
            host.pass(1_000);
            assert!(segment.next_id_within(Duration::ZERO).is_err());
        }
        assert_eq!(store.asked.load(SeqCst), asked);
        host.pass(2_000);
        segment.next_id().unwrap();
    }
}
