//! Actions of other threads between two steps of one.

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use snowmint_engine::FieldKind;

use super::*;
use crate::events::{Event, EventKind, on_event};
use crate::host::manual::{Manual, START_MS};
use crate::host::rounds::SchedulerLoop;
use crate::host::{Clock, Sleep, Spawn};
use crate::scheduler::Scheduled;
use crate::store::{Call, Lease, LeaseRequest, MemoryStore, WorkerStore};
use crate::worker::WorkerId;

#[test]
fn a_thread_overtaken_after_it_read_the_time_is_no_clock_behind() {
    let host = Manual::default();
    let store = Arc::new(MemoryStore::with_clock(host.clone()));
    let builder = Snowflake::builder().policy(ClockPolicy::TWITTER).lease_from(store);
    let flake = builder.host(host.clone(), Arc::new(Disk)).open().unwrap();
    let stops = Cell::new(3);
    let id = flake.attempt(Duration::ZERO, |machine, now_ms| {
        if stops.get() > 0 {
            stops.set(stops.get() - 1);
            host.0.fetch_add(20, Ordering::Relaxed);
            flake.next_id().unwrap();
        }
        machine.next_id(now_ms)
    });
    assert_eq!(stops.get(), 0);
    assert_eq!(Layout::TWITTER.decode(id.unwrap()).unwrap().unix_ms, START_MS + 60);
}

#[test]
fn threads_that_see_one_step_back_count_one_rollback() {
    let host = Manual::default();
    let store = Arc::new(MemoryStore::with_clock(host.clone()));
    let layout = Layout::builder().time(41).field(FieldKind::Rollback, 2).worker(6).sequence(6);
    let layout = layout.epoch_ms(Layout::TWITTER.epoch_ms()).build().unwrap();
    let builder = Snowflake::builder().layout(layout).policy(ClockPolicy::ROLLBACK_BITS);
    let flake = builder.lease_from(store).host(host, Arc::new(Disk)).open().unwrap();
    let seen = flake.worker.prepare().unwrap().2;
    for _ in 0..3 {
        assert!(flake.worker.count_rollback(seen).unwrap());
    }
    assert_eq!(flake.worker.prepare().unwrap().2, seen + 1);
    assert_eq!(layout.decode(flake.next_id().unwrap()).unwrap().rollback, seen + 1);
}

/// There may be no other worker ID, and the clock may soon be right.
#[test]
fn l11_a_worker_id_that_is_to_be_left_is_kept_until_there_is_another() {
    let host = Manual::default();
    let store = Arc::new(MemoryStore::with_clock(host.clone()));
    let layout = Layout::builder().time(41).sequence(12).epoch_ms(START_MS).build().unwrap();
    let builder = Snowflake::builder().layout(layout).policy(ClockPolicy::LINGDU);
    let flake = builder.lease_from(store).host(host.clone(), Arc::new(Disk)).open().unwrap();
    for _ in 0..100 {
        assert!(flake.worker.want_another_worker());
        Arc::clone(&flake.worker).run_due();
        host.0.fetch_add(100, Ordering::Relaxed);
        flake.next_id_within(Duration::ZERO).unwrap();
    }
}

#[test]
fn a_worker_id_left_because_of_the_clock_is_told() {
    let heard = Arc::<Mutex<Vec<_>>>::default();
    let listener = Arc::clone(&heard);
    let is_change = |event: &Event| event.kind == EventKind::WorkerChanged;
    let _listening = on_event(move |event| {
        listener.lock().unwrap().extend(Some(event.clone()).filter(is_change));
    });
    let host = Manual::default();
    let store = Arc::new(MemoryStore::with_clock(host.clone()));
    let builder = Snowflake::builder().policy(ClockPolicy::LINGDU).lease_from(store);
    let flake = builder.host(host, Arc::new(Disk)).open().unwrap();
    let worker_id = || flake.stats().worker_id.unwrap();
    let left = worker_id();
    assert!(flake.worker.want_another_worker());
    Arc::clone(&flake.worker).run_due();
    flake.worker.scheduler().allocations.reports.deliver();
    let heard = heard.lock().unwrap();
    assert_eq!(heard.len(), 1);
    assert_eq!(heard[0].worker_id, Some(worker_id()));
    assert!(heard[0].message.contains(&format!("in place of {left}: ")), "{}", heard[0].message);
}

/// A store whose rows can get lost.
struct Restored(Mutex<MemoryStore>);

impl WorkerStore for Restored {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        self.0.lock().unwrap().acquire(request, call)
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        self.0.lock().unwrap().renew(lease, reserve_ms, call)
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        self.0.lock().unwrap().release(lease, call)
    }
}

#[test]
fn l7_a_lost_worker_id_taken_again_is_no_clock_that_went_back() {
    let host = Manual::default();
    let key_space = "1".repeat(32).parse().unwrap();
    let empty = || MemoryStore::with_clock(host.clone()).in_key_space(key_space);
    let store = Arc::new(Restored(Mutex::new(empty())));
    let layout = Layout::builder().time(41).sequence(4).tick_ms(10).epoch_ms(START_MS);
    let layout = layout.build().unwrap();
    let builder = Snowflake::builder().layout(layout).policy(ClockPolicy::TWITTER);
    let builder = builder.lease_from(Arc::clone(&store) as _);
    let flake = builder.host(host.clone(), Arc::new(Disk)).open().unwrap();
    let fill_tick = || assert_eq!(flake.next_ids(16).unwrap().len(), 16);
    *store.0.lock().unwrap() = empty();
    while !flake.stats().last_failure.is_some_and(|failure| failure.is_over) {
        host.0.fetch_add(10, Ordering::Relaxed);
        fill_tick();
        Arc::clone(&flake.worker).run_due();
    }
    fill_tick();
}

/// A host whose wall clock is far behind at boot, and is set right a moment later.
#[derive(Clone, Default)]
struct Corrected(Manual);

impl Clock for Corrected {
    fn coarse_ms(&self) -> i64 {
        self.0.coarse_ms() - if self.boot_ms() < 200 { 3_400 } else { 0 }
    }

    fn now_ns(&self) -> i64 {
        self.coarse_ms() * 1_000_000
    }

    fn boot_ms(&self) -> i64 {
        self.0.boot_ms()
    }
}

impl Sleep for Corrected {
    fn sleep(&self, duration: Duration) {
        self.0.sleep(duration);
    }
}

impl Random for Corrected {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        self.0.fill(bytes)
    }
}

impl Spawn for Corrected {
    fn spawn(&self, name: &str, scheduler: SchedulerLoop) -> Result<()> {
        self.0.spawn(name, scheduler)
    }
}

/// Returns the lag of an ID behind the clock 7 s after boot, if the generator's mark was 4.5 s
/// ahead of the clock. A jump ahead is followed once it has held for 5 s.
fn behind_after_a_wait(reserve_ms: u32) -> i64 {
    let directory = tempfile::tempdir().unwrap();
    let builder = || {
        let builder = Snowflake::builder().worker_id(WorkerId::Fixed(1)).reserve_ms(reserve_ms);
        builder.state_directory(directory.path())
    };
    // Without a state file IDs begin a second ahead.
    builder().host(Manual::default(), Arc::new(Disk)).open().unwrap().close().unwrap();
    let host = Corrected::default();
    let flake = builder().host(host.clone(), Arc::new(Disk)).open().unwrap();
    // This call only waits if nothing is reserved yet.
    drop(flake.next_id());
    host.0.0.store(7_000, Ordering::Relaxed);
    Arc::clone(&flake.worker).run_due();
    let minted_ms = Layout::TWITTER.parts(flake.next_id().unwrap()).unix_ms;
    host.coarse_ms() - minted_ms
}

#[test]
fn l7_a_clock_put_right_while_a_generator_waits_for_its_mark_is_followed() {
    assert_eq!(behind_after_a_wait(60_000), 0);
}

#[test]
fn l7_a_clock_put_right_while_a_caller_waits_for_it_is_followed() {
    assert_eq!(behind_after_a_wait(2_000), 0);
}
