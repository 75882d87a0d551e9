//! Rings of IDs made ahead of need.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod by_hand;

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use snowmint::{
    Allocation, AllocationRequest, Call, Clock, ClockPolicy, Code, Daily, Disk, Error, Layout,
    MemoryStore, Mint, Result, RingSource, Segment, SegmentAdmin, SegmentStore, Snowflake, Source,
    StepSize, Tag, TagChange, TagOptions, TagRow, UuidSource, UuidVersion, WorkerId, names,
};

use by_hand::{ByHand, Hands, START_MS};

/// Whatever has not happened by then does not happen.
const PATIENCE: Duration = Duration::from_secs(60);
const EVERY_MS: i64 = 1_000;

/// A store that can be down, or go back.
#[derive(Default)]
struct Store {
    store: Mutex<Arc<MemoryStore>>,
    is_down: AtomicBool,
    /// The most numbers that a request was for.
    asked: AtomicU64,
}

impl Store {
    fn store(&self) -> Arc<MemoryStore> {
        Arc::clone(&self.store.lock().unwrap())
    }

    /// A copy takes its place in which the tag has yet to give its first number.
    fn go_back(&self) {
        let older = MemoryStore::new();
        older.create_tag(&orders(), TagOptions::default().step(100)).unwrap();
        *self.store.lock().unwrap() = Arc::new(older);
    }
}

impl SegmentStore for Store {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        if self.is_down.load(SeqCst) {
            return Err(Error::new(Code::StoreUnavailable, "the store is down"));
        }
        let counts = requests.iter().filter_map(|request| request.count);
        self.asked.fetch_max(counts.max().unwrap_or(0), SeqCst);
        self.store().allocate(requests, call)
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.store().tag(tag)
    }
}

fn orders() -> Tag {
    Tag::new("orders").unwrap()
}

fn store() -> Arc<Store> {
    let store = Arc::new(Store::default());
    store.go_back();
    store
}

fn segment(store: &Arc<Store>) -> Source {
    let store = Arc::<Store>::clone(store);
    Source::Segment(Segment::builder(store, orders()).open().unwrap())
}

fn flake(directory: &Path, host: &ByHand) -> Source {
    let builder = Snowflake::builder().worker_id(WorkerId::Fixed(7)).state_directory(directory);
    Source::Snowflake(builder.host(host.clone(), Arc::new(Disk)).open().unwrap())
}

fn unix_ms(id: u64) -> i64 {
    Layout::TWITTER.decode(id).unwrap().unix_ms
}

#[test]
fn l1_l3_threads_get_every_number_once_and_rising() {
    let ring = RingSource::builder(segment(&store())).capacity(64).open().unwrap();
    let minted = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| ring.next_ids(5_000).unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    let mut seen = HashSet::new();
    for numbers in minted {
        assert!(numbers.is_sorted_by(|a, b| a < b));
        assert!(numbers.iter().all(|number| seen.insert(*number)));
    }
    assert_eq!(seen.iter().max(), Some(&20_000), "no gap");
}

#[test]
fn an_empty_ring_is_an_error_at_once_or_a_bounded_wait() {
    let (store, host) = (store(), Hands::default());
    let segment = Segment::builder(store, orders()).host(host.clone()).open().unwrap();
    let ring = RingSource::builder(Source::Segment(segment)).capacity(8).host(host.clone());
    let ring = ring.wait(Duration::ZERO).open().unwrap();
    assert_eq!(ring.try_next_id(), None);
    assert_eq!(ring.next_id().unwrap_err().code(), Code::Empty);
    assert_eq!(ring.next_id_within(PATIENCE).unwrap(), 1);
    assert_eq!(ring.try_next_id(), Some(2));
}

/// Law L7: the age of what a ring gives out is bounded.
#[test]
fn l7_a_snowflake_is_never_given_out_older_than_the_ring_allows() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Hands::default());
    let ring = RingSource::builder(flake(directory.path(), &host)).capacity(64);
    let ring = ring.every(Duration::from_millis(EVERY_MS as u64)).host(host.clone());
    let ring = ring.open().unwrap();
    let mut last = 0;
    for (pause_ms, keepers_run) in
        [(0, true), (10, true), (990, false), (5_000, false), (200, true), (EVERY_MS, true)]
    {
        host.passed_ms.fetch_add(pause_ms, SeqCst);
        if keepers_run {
            host.rounds();
        }
        for _ in 0..5 {
            let id = ring.next_id().unwrap();
            assert!(id > last);
            last = id;
            assert!(unix_ms(id) >= host.coarse_ms() - EVERY_MS, "after {pause_ms} ms");
        }
    }
}

#[test]
fn a_ring_that_nobody_takes_from_runs_dry() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Hands::default());
    let ring = RingSource::builder(flake(directory.path(), &host)).capacity(16);
    let ring = ring.host(host.clone()).open().unwrap();
    let ready = || ring.stats().buckets[0].left;
    ring.next_id().unwrap();
    assert_eq!(ready(), 15);
    host.pass(EVERY_MS);
    assert_eq!(ready(), 16, "older ones are gone, and some were taken since the last look");
    for _ in 0..100 {
        host.pass(EVERY_MS);
        assert_eq!(ready(), 0);
    }
    // Whoever never waits has it filled again, too.
    assert_eq!(ring.try_next_id(), None);
    // The worker ID's time comes first.
    (0..5).for_each(|_| host.pass(1));
    assert!(ring.try_next_id().is_some());
    assert_eq!(ready(), 15);
}

/// Law L7: not even then.
#[test]
fn l7_a_clock_set_back_makes_nothing_young_in_a_ring_at_rest() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Hands::default());
    // 4 IDs a millisecond: the last of a refill are younger than the look that began it.
    let slow = names::layout("time:44,worker:8,sequence:2").unwrap();
    let builder = Snowflake::builder().worker_id(WorkerId::Fixed(7)).layout(slow);
    let builder = builder.policy(ClockPolicy::SNOWMINT.with_max_ahead_ms(0));
    let builder = builder.state_directory(directory.path()).host(host.clone(), Arc::new(Disk));
    let ring = RingSource::builder(Source::Snowflake(builder.open().unwrap())).capacity(64);
    let ring = ring.host(host.clone()).open().unwrap();
    ring.next_id().unwrap();
    (0..EVERY_MS - 10).for_each(|_| host.pass(1));
    // Not so many that they are missed before the next look. The one after it finds none taken.
    (0..40).for_each(|_| assert!(ring.try_next_id().is_some()));
    (0..EVERY_MS + 100).for_each(|_| host.pass(1));
    host.pass(5 * EVERY_MS);
    host.set_ms.fetch_sub(6 * EVERY_MS, SeqCst);
    assert_eq!(ring.try_next_id(), None);
    assert_eq!(ring.stats().buckets[0].left, 0);
}

fn daily_ring(host: &ByHand, zone: &str) -> RingSource {
    let builder = Daily::builder(Arc::new(MemoryStore::new()), orders()).zone(zone);
    let daily = builder.host(host.clone()).open().unwrap();
    let ring = RingSource::builder(Source::Daily(daily)).capacity(64).host(host.clone());
    ring.open().unwrap()
}

/// In St. John's the clock went from 00:01 back to 23:01 of the day before.
#[test]
fn a_date_that_comes_twice_does_not_use_up_its_numbers() {
    if cfg!(windows) || !Path::new("/usr/share/zoneinfo/America/St_Johns").exists() {
        return;
    }
    let host = Hands::default();
    let midnight_ms = 1_289_097_000_000; // 2010-11-07T02:30Z
    host.set_ms.store(midnight_ms - 60_000 - START_MS, SeqCst);
    let ring = daily_ring(&host, "America/St_Johns");
    let first = ring.next_id().unwrap();
    assert_eq!(first, 20_101_106_000_001);
    host.passed_ms.fetch_add(2 * 60_000, SeqCst);
    let second = ring.next_id().unwrap();
    assert_eq!(second / 1_000_000, 20_101_106);
    for nth in 1..=50 {
        host.pass(60_000);
        assert_eq!(ring.next_id().unwrap(), second + nth, "no gap");
    }
    host.pass(60 * 60_000);
    assert_eq!(ring.next_id().unwrap(), 20_101_107_000_001);
}

#[test]
fn a_daily_number_is_thrown_away_at_the_end_of_its_day() {
    let host = Hands::default();
    let ring = daily_ring(&host, "UTC");
    let today = ring.next_id().unwrap();
    until(|| {
        host.pass(1);
        ring.stats().buckets[0].left >= 60
    });
    assert_eq!(ring.next_id().unwrap(), today + 1);
    // No scheduler looks before the next call.
    host.passed_ms.fetch_add(24 * 60 * 60 * 1_000, SeqCst);
    let tomorrow = (today / 1_000_000 + 1) * 1_000_000;
    assert_eq!(ring.next_id().unwrap(), tomorrow + 1, "those of the new day are kept");
}

#[test]
fn a_store_that_is_down_is_not_asked_all_the_time() {
    let (store, host) = (store(), Hands::default());
    store.is_down.store(true, SeqCst);
    let segment = Segment::builder(Arc::<Store>::clone(&store), orders()).host(host.clone());
    let ring = RingSource::builder(Source::Segment(segment.open().unwrap())).capacity(16);
    let ring = ring.host(host.clone()).open().unwrap();
    let rounds = |asks: bool| {
        host.rounds.store(0, SeqCst);
        for _ in 0..10 * EVERY_MS {
            host.pass(1);
            assert!(!asks || ring.try_next_id().is_none());
        }
        host.rounds.load(SeqCst)
    };
    ring.next_id_within(Duration::ZERO).unwrap_err();
    assert!(rounds(true) < 1_000, "somebody wants IDs");
    rounds(false);
    assert!(rounds(false) < 100, "nobody does");
    store.is_down.store(false, SeqCst);
    assert_eq!(ring.next_id_within(PATIENCE).unwrap(), 1);
}

#[test]
fn a_ring_takes_no_more_of_a_day_than_a_range_at_a_time() {
    let host = Hands::default();
    let store = Arc::new(MemoryStore::new());
    let daily = Daily::builder(store.clone(), orders()).digits(3).step(5).host(host.clone());
    let ring = RingSource::builder(Source::Daily(daily.open().unwrap())).host(host.clone());
    let ring = ring.open().unwrap();
    let first = ring.next_id().unwrap();
    for minted in 1..=50 {
        (0..10).for_each(|_| host.pass(EVERY_MS));
        assert_eq!(ring.stats().buckets[0].left, 5);
        // The limit is the IDs that are ready, and the two ranges of the source.
        let reserved = store.tags().unwrap()[0].next - 1;
        assert!(reserved <= minted + 3 * 5, "{reserved} for {minted}");
        assert_eq!(ring.next_id().unwrap(), first + minted);
    }
}

#[test]
fn a_ring_asks_for_no_more_than_its_segment_does() {
    let store = store();
    let segment = Segment::builder(Arc::<Store>::clone(&store), orders());
    let segment = segment.step(StepSize::fixed(10).unwrap()).open().unwrap();
    let ring = RingSource::builder(Source::Segment(segment)).open().unwrap();
    assert_eq!(ring.next_ids(100).unwrap(), (1..=100).collect::<Vec<_>>());
    assert_eq!(store.asked.load(SeqCst), 10);
}

#[test]
fn a_store_that_is_down_shows_once_the_ring_is_empty() {
    let store = store();
    let ring = RingSource::builder(segment(&store)).capacity(16).wait(Duration::from_millis(50));
    let ring = ring.open().unwrap();
    let first = ring.next_id_within(PATIENCE).unwrap();
    store.is_down.store(true, SeqCst);
    let mut last = first;
    let failure = loop {
        match ring.next_id() {
            Ok(id) => last = id,
            // The store has not said no yet.
            Err(failure) if failure.code() == Code::Empty => {}
            Err(failure) => break failure,
        }
    };
    assert_eq!(failure.code(), Code::StoreUnavailable);
    store.is_down.store(false, SeqCst);
    assert_eq!(ring.next_id_within(PATIENCE).unwrap(), last + 1);
}

/// Whoever goes on from the older copy has what was ready, too.
#[test]
fn l1_a_ring_gives_nothing_of_a_tag_that_went_back_until_an_operator_raises_it() {
    let (store, host) = (store(), Hands::default());
    let orders_of = Arc::<Store>::clone(&store);
    let segment = Segment::builder(orders_of, orders()).host(host.clone()).open().unwrap();
    let ring = RingSource::builder(Source::Segment(segment.clone())).capacity(64);
    let ring = ring.host(host.clone()).open().unwrap();
    assert_eq!(ring.next_id().unwrap(), 1);
    let ready = || ring.stats().buckets[0].left;
    until(|| {
        host.pass(EVERY_MS);
        ready() == 64
    });
    store.go_back();
    // The ring is full: its scheduler asks for nothing.
    while segment.next_id_within(Duration::ZERO).map_err(|error| error.code())
        != Err(Code::RangeRegressed)
    {
        host.rounds();
    }
    assert_eq!(ring.try_next_id(), None);
    host.rounds();
    assert_eq!((ring.next_id().unwrap_err().code(), ready()), (Code::RangeRegressed, 0));
    store.store().change_tag(&orders(), TagChange::default().next(5_000)).unwrap();
    until(|| {
        host.pass(100);
        ring.try_next_id().is_some_and(|number| number >= 5_000)
    });
}

#[test]
fn a_closed_ring_gives_nothing_of_what_was_ready() {
    let ring = RingSource::builder(segment(&store())).capacity(16).open().unwrap();
    ring.next_id().unwrap();
    until(|| ring.stats().buckets[0].left > 0);
    ring.close_within(Duration::ZERO).unwrap();
    assert_eq!(ring.try_next_id(), None);
    assert_eq!(ring.next_id().unwrap_err().code(), Code::Closed);
    assert_eq!(ring.source().next_id().unwrap_err().code(), Code::Closed);
    assert!(ring.stats().is_closed);
    ring.close_within(Duration::ZERO).unwrap();
}

#[test]
fn a_source_or_parameter_that_makes_no_ring_is_refused() {
    let refused = |source| RingSource::builder(source).open().map(drop).unwrap_err().code();
    assert_eq!(refused(Source::Uuid(UuidSource::new(UuidVersion::V7))), Code::Unsupported);
    let of_ring = Source::Ring(RingSource::builder(segment(&store())).open().unwrap());
    assert_eq!(refused(of_ring), Code::Unsupported);
    let directory = tempfile::tempdir().unwrap();
    let url = format!("snowflake:?worker_id=7&state={}", directory.path().display());
    for (parameters, named) in [
        ("ring=1000", "a power of two from 1 to 1048576"),
        ("ring=0", "a power of two"),
        ("ring=2097152", "a power of two"),
        ("ring=many", "a power of two"),
        ("ring=64&ring_refill=0", "a percentage from 1 to 100"),
        ("ring=64&ring_refill=101", "a percentage from 1 to 100"),
        ("ring=64&ring_every_ms=0", "milliseconds from 1 to 3600000"),
        ("ring=64&ring_every_ms=3600001", "milliseconds from 1 to 3600000"),
        ("ring_refill=30", "add ring=1024"),
    ] {
        let refused = snowmint::open(&format!("{url}&{parameters}")).map(drop).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidParameter, "{parameters}");
        assert!(refused.to_string().contains(named), "{refused}");
    }
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0, "nothing was opened");
    let ring = snowmint::open(&format!("{url}&ring=64&ring_refill=50&ring_every_ms=100")).unwrap();
    assert!(ring.next_id().unwrap() < ring.next_id().unwrap());
    assert_eq!(ring.layout(), Some(&Layout::TWITTER));
    let refused = snowmint::open("uuid:?ring=64").map(drop).unwrap_err();
    assert_eq!(refused.code(), Code::UnknownParameter);
}

fn until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "it never came to that");
        thread::sleep(Duration::from_millis(1));
    }
}
