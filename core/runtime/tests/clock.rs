//! The time of IDs on hosts that stop where it hurts, or whose clocks do not run alike.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use snowmint::{
    Call, Clock, ClockPolicy, Code, Disk, Layout, Lease, LeaseRequest, MemoryStore, Mint, Random,
    Result, SchedulerLoop, Segment, SegmentAdmin, Sleep, Snowflake, Spawn, StepSize, System, Tag,
    TagOptions, WorkerId, WorkerStore,
};

const START_MS: i64 = 1_790_000_000_000;
const PAUSE_MS: i64 = 1_000;
const PAUSES: i64 = 4;

/// A host that stops for a second after each of its first readings of wall time. Schedulers do not
/// run.
#[derive(Clone, Default)]
struct Halting {
    now_ms: Arc<AtomicI64>,
}

impl Clock for Halting {
    fn coarse_ms(&self) -> i64 {
        START_MS + self.now_ms.load(Ordering::Relaxed)
    }

    fn now_ns(&self) -> i64 {
        let now_ms = self.now_ms.load(Ordering::Relaxed);
        if now_ms < PAUSES * PAUSE_MS {
            self.now_ms.store(now_ms + PAUSE_MS, Ordering::Relaxed);
        }
        (START_MS + now_ms) * 1_000_000
    }

    fn boot_ms(&self) -> i64 {
        self.now_ms.load(Ordering::Relaxed)
    }
}

impl Sleep for Halting {
    fn sleep(&self, duration: Duration) {
        self.now_ms.fetch_add(duration.as_millis() as i64, Ordering::Relaxed);
    }
}

impl Random for Halting {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for Halting {
    fn spawn(&self, _: &str, _: SchedulerLoop) -> Result<()> {
        Ok(())
    }
}

#[test]
fn l7_a_pause_between_two_readings_is_no_step_of_the_clock() {
    let directory = tempfile::tempdir().unwrap();
    let open = |host: &Halting| {
        let builder = Snowflake::builder().worker_id(WorkerId::Fixed(1)).reserve_ms(60_000);
        let builder = builder.state_directory(directory.path());
        builder.host(host.clone(), Arc::new(Disk)).open().unwrap()
    };
    // Without a state file IDs begin ahead of the clock.
    let earlier = Halting { now_ms: Arc::new(AtomicI64::new(-3_600_000)) };
    open(&earlier).close().unwrap();
    let host = Halting::default();
    let id = open(&host).next_id().unwrap();
    let minted_ms = Layout::TWITTER.decode(id).unwrap().unix_ms;
    assert_eq!(minted_ms, host.now_ms());
}

/// A host whose wall clock is slower than its sleeps, by one part in a hundred. Schedulers do not run.
#[derive(Clone, Default)]
struct Slow {
    boot_ms: Arc<AtomicI64>,
}

impl Clock for Slow {
    fn coarse_ms(&self) -> i64 {
        let boot_ms = self.boot_ms();
        START_MS + boot_ms - boot_ms / 100
    }

    fn now_ns(&self) -> i64 {
        self.coarse_ms() * 1_000_000
    }

    fn boot_ms(&self) -> i64 {
        self.boot_ms.load(Ordering::Relaxed)
    }
}

impl Sleep for Slow {
    fn sleep(&self, duration: Duration) {
        self.boot_ms.fetch_add(duration.as_millis() as i64, Ordering::Relaxed);
    }
}

impl Random for Slow {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for Slow {
    fn spawn(&self, _: &str, _: SchedulerLoop) -> Result<()> {
        Ok(())
    }
}

#[test]
fn l11_a_wall_clock_slower_than_the_wait_for_it_is_no_clock_behind() {
    let directory = tempfile::tempdir().unwrap();
    begin(directory.path()).next_id().unwrap();
}

#[test]
fn l11_a_first_start_that_was_killed_is_waited_for() {
    let (killed, directory) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let _running = begin(killed.path());
    for file in std::fs::read_dir(killed.path()).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), directory.path().join(file.file_name())).unwrap();
    }
    // Nothing is reserved beyond that mark until a scheduler runs.
    let waited = begin(directory.path()).next_id().unwrap_err();
    assert_eq!(waited.code(), Code::GrantExhausted, "{waited}");
}

#[test]
fn a_source_tells_how_far_it_is_ahead_of_the_clock() {
    let directory = tempfile::tempdir().unwrap();
    let builder = Snowflake::builder().worker_id(WorkerId::Fixed(1)).reserve_ms(60_000);
    let builder = builder.state_directory(directory.path());
    let host = Slow::default();
    let flake = builder.host(host.clone(), Arc::new(Disk)).open().unwrap();
    // Without a state file IDs begin a second ahead.
    host.sleep(Duration::from_secs(2));
    flake.next_id().unwrap();
    assert_eq!(flake.stats().borrowed_ms, Some(0));
    // A millisecond has 4,096.
    flake.next_ids(10_000).unwrap();
    assert_eq!(flake.stats().borrowed_ms, Some(2));
}

/// Opens a generator that does not borrow, on clocks that begin.
fn begin(directory: &Path) -> Snowflake {
    let builder = Snowflake::builder().worker_id(WorkerId::Fixed(1)).policy(ClockPolicy::TWITTER);
    let builder = builder.state_directory(directory);
    builder.host(Slow::default(), Arc::new(Disk)).open().unwrap()
}

/// A store whose answers come a second after they are given.
struct Late {
    store: MemoryStore,
    host: Slow,
}

impl Late {
    fn arrive<T>(&self, answer: Result<T>) -> Result<T> {
        self.host.sleep(Duration::from_secs(1));
        answer
    }
}

impl WorkerStore for Late {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        self.arrive(self.store.acquire(request, call))
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        self.arrive(self.store.renew(lease, reserve_ms, call))
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        self.store.release(lease, call)
    }
}

#[test]
fn l11_a_lease_outlasts_the_answers_of_a_slow_store() {
    let host = Slow::default();
    let store = Late { store: MemoryStore::with_clock(host.clone()), host: host.clone() };
    let builder = Snowflake::builder().lease_from(Arc::new(store));
    let flake = builder.host(host.clone(), Arc::new(Disk)).open().unwrap();
    // For as long as an answer to a renewal takes from now on.
    host.sleep(Duration::from_secs(2));
    flake.next_id().unwrap();
}

/// The system, but for clocks that leap as in a suspend, through which sleeping threads sleep on.
#[derive(Clone, Default)]
struct Suspended {
    leapt_ms: Arc<AtomicI64>,
}

impl Clock for Suspended {
    fn coarse_ms(&self) -> i64 {
        System.coarse_ms() + self.leapt_ms.load(Ordering::Relaxed)
    }

    fn now_ns(&self) -> i64 {
        System.now_ns() + self.leapt_ms.load(Ordering::Relaxed) * 1_000_000
    }

    fn boot_ms(&self) -> i64 {
        System.boot_ms() + self.leapt_ms.load(Ordering::Relaxed)
    }
}

impl Sleep for Suspended {
    fn sleep(&self, duration: Duration) {
        System.sleep(duration);
    }
}

impl Random for Suspended {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for Suspended {
    fn spawn(&self, name: &str, scheduler: SchedulerLoop) -> Result<()> {
        System.spawn(name, scheduler)
    }
}

#[test]
fn l11_a_keeper_that_slept_through_a_suspend_is_woken() {
    let (store, tag) = (MemoryStore::new(), Tag::new("orders").unwrap());
    store.create_tag(&tag, TagOptions::default()).unwrap();
    let host = Suspended::default();
    let orders = Segment::builder(Arc::new(store), tag).step(StepSize::fixed(10).unwrap());
    let orders = orders.host(host.clone()).open().unwrap();
    assert_eq!(orders.next_id().unwrap(), 1);
    // The scheduler has nothing to do for an hour.
    std::thread::sleep(Duration::from_millis(300));
    host.leapt_ms.store(2 * 3_600_000, Ordering::Relaxed);
    for number in 2..100 {
        assert_eq!(orders.next_id().unwrap(), number);
    }
}

#[test]
fn l11_a_store_whose_clock_was_set_back_by_days_is_told_of() {
    let clock = Suspended::default();
    let store = Arc::new(MemoryStore::with_clock(clock.clone()));
    let flake = Snowflake::builder().lease_from(store).wait(Duration::ZERO).open().unwrap();
    flake.next_id().unwrap();
    clock.leapt_ms.store(-48 * 3_600_000, Ordering::Relaxed);
    // The time that was reserved before is used first.
    let asked = (0..3_000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        flake.next_id().err()
    });
    let refused = asked.expect("nothing was reserved for its time");
    assert_eq!(refused.code(), Code::LeaseUnavailable, "{refused}");
    assert!(refused.to_string().contains("clock was set back"), "{refused}");
}
