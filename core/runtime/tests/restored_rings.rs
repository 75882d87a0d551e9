//! A ring that is filled while its process is restored.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise, too")]

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{sleep, spawn};
use std::time::Duration;

use snowmint::{
    Clock, Keeper, MemoryStore, Random, Result, RingSource, Segment, SegmentAdmin, SegmentStore,
    Sleep, Source, Spawn, SqliteStore, StepSize, System, Tag, TagOptions, on_restore,
};

/// A host whose time and keepers go on by hand, and whose boot time can be made to stand.
#[derive(Clone, Default)]
struct ByHand {
    passed_ms: Arc<AtomicI64>,
    stands: Arc<AtomicBool>,
    stood: Arc<AtomicBool>,
    keepers: Arc<Mutex<Vec<Keeper>>>,
}

impl ByHand {
    /// Rounds of all keepers, until each has nothing to do.
    fn keep(&self) {
        let lock = || self.keepers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut keepers = std::mem::take(&mut *lock());
        keepers.retain_mut(|keeper| {
            loop {
                match keeper.round() {
                    Some(Duration::ZERO) => {}
                    pause => break pause.is_some(),
                }
            }
        });
        lock().append(&mut keepers);
    }
}

impl Clock for ByHand {
    fn coarse_ms(&self) -> i64 {
        1_790_000_000_000 + self.passed_ms.load(SeqCst)
    }

    fn now_ns(&self) -> i64 {
        self.coarse_ms() * 1_000_000
    }

    fn boot_ms(&self) -> i64 {
        while self.stands.load(SeqCst) {
            self.stood.store(true, SeqCst);
            sleep(Duration::from_millis(1));
        }
        self.passed_ms.load(SeqCst)
    }
}

impl Sleep for ByHand {
    fn sleep(&self, duration: Duration) {
        self.passed_ms.fetch_add(duration.as_millis().max(1) as i64, SeqCst);
        self.keep();
    }
}

impl Random for ByHand {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for ByHand {
    fn spawn(&self, _: &str, keeper: Keeper) -> Result<()> {
        self.keepers.lock().unwrap().push(keeper);
        Ok(())
    }
}

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
    let (host, standing) = (ByHand::default(), ByHand::default());
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
    host.keep();
    standing.stands.store(false, SeqCst);
    restoring.join().unwrap();
    caller.join().unwrap();
    let first = ring.next_id().unwrap();
    assert!(first >= before, "{first} is of the image before, whose numbers end at {before}");
}
