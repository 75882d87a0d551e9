//! A restored image goes on with nothing that another one may have.
//!
//! `on_restore` concerns the whole process, so these tests run one after another.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise, too")]

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{sleep, spawn};
use std::time::Duration;

use snowmint::{
    Allocation, AllocationRequest, Attempt, Call, Clock, Code, Daily, Disk, Lease, LeaseRequest,
    MemoryStore, Mint, NumberRange, Random, Result, RingSource, SchedulerLoop, Segment,
    SegmentAdmin, SegmentStore, Sequences, Sleep, Snowflake, Source, Spawn, SqliteStore, StepSize,
    System, Tag, TagAllocator, TagChange, TagOptions, TagRow, WorkerId, WorkerStore, on_restore,
};
use tempfile::TempDir;

const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// One test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A store that notes what it gave, and can keep an answer on its way.
struct Watched {
    store: SqliteStore,
    /// Restores that have begun, and those that are over.
    begun: AtomicUsize,
    over: AtomicUsize,
    /// By worker ID and floor: the restores that had begun when the lease was asked for.
    leased: Mutex<HashMap<u32, BTreeMap<i64, usize>>>,
    /// The end of the highest range.
    allocated: Mutex<u64>,
    /// Answers stay on their way.
    slow: AtomicBool,
    /// Answers on their way.
    under_way: AtomicUsize,
    _directory: TempDir,
}

impl Watched {
    fn new() -> Arc<Watched> {
        let directory = tempfile::tempdir().unwrap();
        Arc::new(Watched {
            store: SqliteStore::create(directory.path().join("ids.db")).unwrap(),
            begun: AtomicUsize::new(0),
            over: AtomicUsize::new(0),
            leased: Mutex::default(),
            allocated: Mutex::new(0),
            slow: AtomicBool::new(false),
            under_way: AtomicUsize::new(0),
            _directory: directory,
        })
    }

    /// Has the process restored; returns how often it was.
    fn restore(&self) -> usize {
        self.begun.fetch_add(1, SeqCst);
        on_restore();
        self.over.fetch_add(1, SeqCst) + 1
    }

    /// The restores that had begun when an ID's lease was asked for.
    fn begun_before(&self, flake: &Snowflake, id: u64) -> usize {
        let parts = flake.layout().decode(id).unwrap();
        let leased = self.leased.lock().unwrap();
        *leased[&parts.worker_id].range(..=parts.unix_ms).next_back().unwrap().1
    }

    /// Returns the result of a call, once the test lets the answer pass.
    fn answer<T>(&self, done: T) -> T {
        self.under_way.fetch_add(1, SeqCst);
        wait_until(|| !self.slow.load(SeqCst));
        self.under_way.fetch_sub(1, SeqCst);
        done
    }

    /// Has the process restored while an answer is on its way to it.
    fn restore_before_the_answer(&self, ask: impl FnOnce()) {
        self.slow.store(true, SeqCst);
        ask();
        wait_until(|| self.under_way.load(SeqCst) > 0);
        self.restore();
        self.slow.store(false, SeqCst);
        wait_until(|| self.under_way.load(SeqCst) == 0);
    }
}

impl WorkerStore for Watched {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        let begun = self.begun.load(SeqCst);
        let lease = self.store.acquire(request, call)?;
        let mut leased = self.leased.lock().unwrap();
        let before = leased.entry(lease.worker_id).or_default().insert(lease.floor_ms, begun);
        assert_eq!(before, None, "two leases of one time");
        drop(leased);
        Ok(self.answer(lease))
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        let renewed = self.store.renew(lease, reserve_ms, call)?;
        Ok(self.answer(renewed))
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        self.store.release(lease, call)
    }
}

impl SegmentStore for Watched {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        let allocations = self.store.allocate(requests, call)?;
        let mut allocated = self.allocated.lock().unwrap();
        for allocation in allocations.iter().flatten() {
            *allocated = allocation.range.end().max(*allocated);
        }
        drop(allocated);
        Ok(self.answer(allocations))
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.store.tag(tag)
    }
}

impl SegmentAdmin for Watched {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        self.store.create_tag(tag, options)
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        self.store.change_tag(tag, change)
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        self.store.tags()
    }
}

fn wait_until(condition: impl Fn() -> bool) {
    while !condition() {
        sleep(LOOK_AGAIN);
    }
}

fn leased_from(store: &Arc<Watched>) -> Snowflake {
    let store: Arc<dyn WorkerStore> = store.clone();
    Snowflake::builder().lease_from(store).open().unwrap()
}

fn worker_of(flake: &Snowflake, id: u64) -> u32 {
    flake.layout().decode(id).unwrap().worker_id
}

/// Each ID is of a lease that was asked for after the restores which its call came after.
#[test]
fn threads_mint_under_leases_of_their_own_image() {
    let _alone = alone();
    let store = Watched::new();
    let flake = leased_from(&store);
    let ended = Arc::new(AtomicBool::new(false));
    let minters = [0; 3].map(|_| {
        let (flake, store, ended) = (flake.clone(), Arc::clone(&store), Arc::clone(&ended));
        spawn(move || {
            let mut minted = Vec::new();
            while !ended.load(SeqCst) {
                let restores = store.over.load(SeqCst);
                minted.push((flake.next_id().unwrap(), restores));
            }
            minted
        })
    });
    for _ in 0..20 {
        let present = store.restore();
        wait_until(|| {
            store
                .leased
                .lock()
                .unwrap()
                .values()
                .any(|leases| leases.values().any(|begun| *begun == present))
        });
        sleep(LOOK_AGAIN);
    }
    ended.store(true, SeqCst);
    let minted = minters.map(|minter| minter.join().unwrap());
    let mut all = HashSet::new();
    for minted in minted {
        for (id, restores) in minted {
            assert!(all.insert(id), "{id} twice");
            let begun = store.begun_before(&flake, id);
            assert!(begun >= restores, "{id}: a lease of {begun} after restore {restores}");
        }
    }
    flake.close().unwrap();
}

/// A host that is restored at its n-th reading of a clock.
#[derive(Clone)]
struct Restored {
    at: usize,
    readings: Arc<AtomicUsize>,
    store: Arc<Watched>,
}

impl Restored {
    fn read<T>(&self, reading: T) -> T {
        if self.readings.fetch_add(1, SeqCst) == self.at {
            let store = Arc::clone(&self.store);
            let restoring = spawn(move || store.restore());
            // The reader may hold what the restore waits for.
            for _ in 0..20 {
                if restoring.is_finished() {
                    break;
                }
                sleep(LOOK_AGAIN);
            }
        }
        reading
    }
}

impl Clock for Restored {
    fn coarse_ms(&self) -> i64 {
        System.coarse_ms()
    }

    fn now_ns(&self) -> i64 {
        self.read(System.now_ns())
    }

    fn boot_ms(&self) -> i64 {
        self.read(System.boot_ms())
    }
}

impl Sleep for Restored {
    fn sleep(&self, duration: Duration) {
        System.sleep(duration);
    }
}

impl Random for Restored {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for Restored {
    fn spawn(&self, name: &str, scheduler: SchedulerLoop) -> Result<()> {
        System.spawn(name, scheduler)
    }
}

#[test]
fn a_generator_that_is_being_opened_is_restored_too() {
    let _alone = alone();
    for at in 0..16 {
        let store = Watched::new();
        let readings = Arc::new(AtomicUsize::new(0));
        let host = Restored { at, readings: Arc::clone(&readings), store: Arc::clone(&store) };
        let worker_ids: Arc<dyn WorkerStore> = store.clone();
        let builder = Snowflake::builder().lease_from(worker_ids);
        let flake = builder.host(host, Arc::new(Disk)).open().unwrap();
        wait_until(|| {
            drop(flake.next_id());
            readings.load(SeqCst) > at
        });
        wait_until(|| store.over.load(SeqCst) == 1);
        let id = flake.next_id().unwrap();
        assert_eq!(store.begun_before(&flake, id), 1, "restored at reading {at}");
        flake.close().unwrap();
    }
}

#[test]
fn a_generator_restored_before_its_first_answer_asks_for_another_lease() {
    let _alone = alone();
    let store = Watched::new();
    let opener = Arc::clone(&store);
    let opening = RefCell::new(None);
    store.restore_before_the_answer(|| {
        *opening.borrow_mut() = Some(spawn(move || leased_from(&opener)));
    });
    let flake = opening.take().unwrap().join().unwrap();
    let id = flake.next_id().unwrap();
    assert_eq!(store.begun_before(&flake, id), 1);
    flake.close().unwrap();
}

#[test]
fn no_answer_to_an_earlier_image_is_used() {
    let _alone = alone();
    let store = Watched::new();
    let flake = leased_from(&store);
    let first = worker_of(&flake, flake.next_id().unwrap());
    store.restore();
    // Asks for another lease, whose answer the next image has, too.
    store.restore_before_the_answer(|| {
        flake.next_id_within(Duration::ZERO).unwrap_err();
    });
    let third = flake.next_id().unwrap();
    assert_eq!(store.begun_before(&flake, third), 2);
    assert_ne!(first, worker_of(&flake, third));
    flake.close().unwrap();
}

/// It is not closed: it mints once the store answers.
#[test]
fn a_generator_without_a_lease_yet_says_so() {
    let _alone = alone();
    let store = Watched::new();
    let flake = leased_from(&store);
    flake.next_id().unwrap();
    store.restore();
    store.slow.store(true, SeqCst);
    let refused = flake.next_id_within(Duration::from_millis(50)).unwrap_err();
    assert_eq!(refused.code(), Code::LeaseUnavailable, "{refused}");
    assert!(!flake.stats().is_closed);
    store.slow.store(false, SeqCst);
    flake.next_id().unwrap();
}

/// A renewal's answer would extend the next lane beyond its own lease.
#[test]
fn no_renewal_of_an_earlier_image_is_used() {
    let _alone = alone();
    let store = Watched::new();
    let worker_ids: Arc<dyn WorkerStore> = store.clone();
    let flake = Snowflake::builder().lease_from(worker_ids).reserve_ms(100).open().unwrap();
    let first = worker_of(&flake, flake.next_id().unwrap());
    store.restore_before_the_answer(|| ());
    let second = flake.next_id().unwrap();
    assert_ne!(first, worker_of(&flake, second));
    assert_eq!(store.begun_before(&flake, second), 1);
    flake.close().unwrap();
}

#[test]
fn segments_go_on_above_every_range_of_an_earlier_image() {
    let _alone = alone();
    let store = Watched::new();
    let tag = Tag::new("orders").unwrap();
    store.create_tag(&tag, TagOptions::default()).unwrap();
    let segments: Arc<dyn SegmentStore> = store.clone();
    let orders =
        Segment::builder(Arc::clone(&segments), tag.clone()).step(StepSize::fixed(1_000).unwrap());
    let orders = orders.open().unwrap();
    assert_eq!(orders.next_id().unwrap(), 1);
    for _ in 0..5 {
        store.restore();
        let before = *store.allocated.lock().unwrap();
        assert!(orders.next_id().unwrap() >= before);
    }
    store.restore();
    store.restore_before_the_answer(|| {
        orders.next_id_within(Duration::ZERO).unwrap_err();
    });
    let before = *store.allocated.lock().unwrap();
    assert!(orders.next_ids(2_500).unwrap().iter().all(|number| *number >= before));
}

#[test]
fn a_ring_keeps_nothing_of_an_earlier_image() {
    let _alone = alone();
    let (store, tag) = (Watched::new(), Tag::new("orders").unwrap());
    store.create_tag(&tag, TagOptions::default()).unwrap();
    let orders = Segment::builder(store.clone(), tag).step(StepSize::fixed(1_000).unwrap());
    let ring = RingSource::builder(Source::Segment(orders.open().unwrap())).capacity(64);
    let ring = ring.open().unwrap();
    ring.next_id().unwrap();
    for _ in 0..5 {
        wait_until(|| ring.stats().buckets[0].left > 30);
        store.restore();
        let before = *store.allocated.lock().unwrap();
        assert!(ring.next_ids(100).unwrap().iter().all(|number| *number >= before));
    }
}

#[test]
fn sequences_and_daily_numbers_too() {
    let _alone = alone();
    let store = Watched::new();
    let segments: Arc<dyn SegmentAdmin> = store.clone();
    let chat = Sequences::builder(Arc::clone(&segments), Tag::new("chat").unwrap()).step(10);
    let chat = chat.open().unwrap();
    assert_eq!((chat.next(7).unwrap(), chat.next(7).unwrap()), (1, 2));
    store.restore();
    assert!(chat.next(7).unwrap() > 10);

    let invoices = Daily::builder(segments, Tag::new("invoices").unwrap());
    let invoices = invoices.step(10).open().unwrap();
    let first = invoices.next_id().unwrap();
    store.restore();
    // The number is of another range of the day, or of another day.
    assert!(invoices.next_id().unwrap() >= first + 10);
}

/// Gives the hundred numbers from there on.
struct From(AtomicU64);

impl TagAllocator for From {
    fn reserve(&self, _: &AllocationRequest, _: &Call) -> Result<Allocation> {
        let start = self.0.load(SeqCst);
        Ok(Allocation::new(NumberRange::new(start, start + 100, 1)?, 1))
    }

    fn row(&self, tag: &Tag) -> Result<Option<TagRow>> {
        Ok(Some(TagRow::new(tag, TagOptions::default().step(1))))
    }
}

impl SegmentAdmin for From {
    fn create_tag(&self, _: &Tag, _: TagOptions) -> Result<()> {
        Ok(())
    }
}

/// Once the store has caught up, it gives numbers that others had before, also after a restore.
#[test]
fn l1_a_tag_that_went_back_stays_fenced_in_a_restored_image() {
    let _alone = alone();
    let store = Arc::new(From(AtomicU64::new(100)));
    let orders = Segment::builder(store.clone(), Tag::new("orders").unwrap()).open().unwrap();
    let chat = Sequences::builder(store.clone(), Tag::new("chat").unwrap()).keys_per_section(1);
    let chat = chat.step(10).open().unwrap();
    let sources: [&dyn Fn() -> Result<u64>; 2] = [&|| orders.next_id(), &|| chat.next(7)];
    let was_fenced = |next: &dyn Fn() -> Result<u64>| {
        next().is_err_and(|error| error.code() == Code::RangeRegressed)
    };
    sources.iter().for_each(|next| assert_eq!(next().unwrap(), 100));
    store.0.store(50, SeqCst);
    sources.iter().for_each(|next| wait_until(|| was_fenced(next)));
    store.0.store(1_000, SeqCst);
    on_restore();
    for _ in 0..20 {
        sleep(LOOK_AGAIN);
        assert!(sources.iter().all(|next| was_fenced(next)));
    }
}

#[test]
fn a_fixed_worker_id_is_every_images_and_has_to_be_opened_anew() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let open = || {
        Snowflake::builder().worker_id(WorkerId::Fixed(7)).state_directory(directory.path()).open()
    };
    let flake = open().unwrap();
    let first = flake.next_id().unwrap();
    on_restore();
    // Nothing is waited for, nor asked.
    assert_eq!(flake.poll_id().unwrap_err().code(), Code::Forked);
    assert_eq!(flake.next_id().unwrap_err().code(), Code::Forked);
    let anew = open().unwrap();
    assert!(anew.next_id().unwrap() > first);
    flake.close().unwrap();
    assert_eq!(flake.next_id().unwrap_err().code(), Code::Closed);
    assert!(anew.next_id().unwrap() > first);
}

#[test]
fn a_store_in_memory_is_in_every_image() {
    let _alone = alone();
    let store = Arc::new(MemoryStore::new());
    let tag = Tag::new("orders").unwrap();
    store.create_tag(&tag, TagOptions::default()).unwrap();
    let orders = Segment::builder(store.clone(), tag.clone()).open().unwrap();
    let daily = Daily::builder(store.clone(), tag.clone()).open().unwrap();
    let chat = Sequences::builder(store.clone(), Tag::new("chat").unwrap()).open().unwrap();
    let flake = Snowflake::builder().lease_from(store.clone()).open().unwrap();
    assert_eq!([orders.next_id(), chat.next(7)].map(Result::unwrap), [1, 1]);
    assert!(daily.next_id().unwrap() < flake.next_id().unwrap());
    on_restore();
    store_is_gone(|| orders.poll_id());
    store_is_gone(|| daily.poll_id());
    store_is_gone(|| chat.poll_next(7));
    store_is_gone(|| flake.poll_id());
    let error = Segment::builder(store, tag).wait(Duration::MAX).open().unwrap_err();
    assert_eq!(error.code(), Code::StoreUnavailable);
    assert_eq!(MemoryStore::new().tags().unwrap(), []);
}

#[track_caller]
fn store_is_gone(poll: impl Fn() -> Result<Attempt<u64>>) {
    // Far longer than a scheduler takes to ask a store in memory.
    let mut polls = (0..60_000).map(|_| poll().inspect(|_| sleep(LOOK_AGAIN)));
    let done = polls.find(|it| !matches!(it, Ok(Attempt::Later { .. })));
    assert_eq!(done.unwrap().unwrap_err().code(), Code::StoreUnavailable);
}
