//! Lost answers, and leases that live on.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::*;
use crate::error::Error;
use crate::host::Platform;
use crate::host::manual::{Manual, START_MS};
use crate::scheduler::{NOTHING_DUE, Scheduled};
use crate::store::{MemoryStore, WorkerAdmin};

/// A store in memory whose next answers are lost.
struct Losing {
    store: MemoryStore,
    lost: AtomicU32,
}

impl Losing {
    fn lose<T>(&self, answer: T) -> Result<T> {
        let lost = self.lost.load(Ordering::Relaxed);
        self.lost.store(lost.saturating_sub(1), Ordering::Relaxed);
        if lost == 0 { Ok(answer) } else { Err(Error::new(Code::OutcomeUnknown, "lost")) }
    }
}

impl WorkerStore for Losing {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        self.lose(self.store.acquire(request, call)?)
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        self.lose(self.store.renew(lease, reserve_ms, call)?)
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        self.store.release(lease, call)
    }
}

fn leased() -> (StoreWorkerIds, Arc<Losing>, Manual) {
    let host = Manual::default();
    let store = MemoryStore::with_clock(host.clone());
    let store = Arc::new(Losing { store, lost: AtomicU32::new(0) });
    let (realm, max_worker_id) = ("realm".to_owned(), 7);
    let terms = Terms { realm, max_worker_id, least_ms: 100, reserve_ms: 60_000, max_ahead_ms: 0 };
    let asked: Arc<dyn WorkerStore> = Arc::<Losing>::clone(&store);
    (StoreWorkerIds::new(asked, terms, Platform::Brought(Arc::new(host.clone()))), store, host)
}

/// A lease that was held for long is replaced by a long one, whose answer may be lost as well.
#[test]
fn l11_each_lost_answer_costs_a_worker_id_for_a_first_reservation() {
    let (worker, store, host) = leased();
    let lost = worker.take(None, 0).unwrap();
    host.0.store(30_000, Ordering::Relaxed);
    store.store.evict("realm", lost.worker_id).unwrap();
    assert_eq!(worker.extend(0).unwrap_err().code(), Code::LeaseLost);
    store.lost.store(3, Ordering::Relaxed);
    for _ in 0..3 {
        assert_eq!(worker.take(None, 0).unwrap_err().code(), Code::OutcomeUnknown);
    }
    assert_eq!(worker.take(None, 0).unwrap().reserve_ms, 2_000);
    let mut held = store.store.workers().unwrap();
    held.retain(|row| row.held);
    let mut lasts_ms: Vec<_> = held.iter().map(|row| row.reserved_ms - START_MS - 30_000).collect();
    lasts_ms.sort_unstable();
    assert_eq!(lasts_ms, [2_000, 2_000, 2_000, 30_000]);
}

/// The time of the worker ID stays reserved, and the next holder has the next epoch.
#[test]
fn a_worker_id_that_was_given_up_or_taken_away_is_free() {
    let (worker, store, _) = leased();
    let epochs = || {
        let leased = store.store.workers().unwrap();
        leased.iter().map(|row| (row.worker_id, row.held, row.epoch)).collect::<Vec<_>>()
    };
    let id = worker.take(None, 0).unwrap().worker_id;
    assert_eq!(epochs(), [(id, true, 1)]);
    worker.give_up().unwrap();
    assert_eq!(epochs(), [(id, false, 1)]);
    let next = worker.take(Some(id), 0).unwrap().worker_id;
    store.store.evict("realm", next).unwrap();
    assert!(epochs().contains(&(next, false, 2)), "{:?}", epochs());
}

/// New leases with short reservations would keep a busy store busy.
#[test]
fn l11_a_worker_that_lost_its_lease_reserves_as_long_as_before() {
    let (worker, store, host) = leased();
    let lost = worker.take(None, 0).unwrap();
    host.0.store(30_000, Ordering::Relaxed);
    store.store.evict("realm", lost.worker_id).unwrap();
    assert_eq!(worker.extend(0).unwrap_err().code(), Code::LeaseLost);
    let taken = worker.take(None, 0).unwrap();
    assert_eq!(taken.reserve_ms, 30_000);
    // A worker ID that is left rests as long as it is reserved, so the next reservation is short.
    assert_eq!(worker.take(Some(taken.worker_id), 0).unwrap().reserve_ms, 2_000);
}

/// A scheduler renews one lease after the other. On a busy disk 50 commits take longer than a first
/// reservation lasts.
#[test]
fn l11_a_crowd_on_one_store_reserves_for_all_turns() {
    struct Idle;
    impl Scheduled for Idle {
        fn run_due(self: Arc<Self>) -> Duration {
            NOTHING_DUE
        }
    }
    let (worker, ..) = leased();
    let (scheduler, idle) = (worker.scheduler(), Arc::new(Idle));
    let crowd: Vec<_> =
        (0..50).map(|_| scheduler.register(Arc::<Idle>::downgrade(&idle) as _).unwrap()).collect();
    assert_eq!(worker.take(None, 0).unwrap().reserve_ms, 5_000);
    // Sources that are being opened count too.
    let coming = [scheduler.admit(Duration::ZERO), scheduler.admit(Duration::ZERO)];
    assert_eq!(worker.extend(0).unwrap().reserve_ms, 5_200);
    drop((crowd, coming));
    assert_eq!(worker.extend(0).unwrap().reserve_ms, 2_000);
}

#[test]
fn a_lease_reserves_more_the_longer_it_lives() {
    let (worker, _, host) = leased();
    assert_eq!(worker.take(None, 0).unwrap().reserve_ms, 2_000);
    for (lived_ms, reserve_ms) in [(1_000, 2_000), (5_000, 5_000), (90_000, 60_000)] {
        host.0.store(lived_ms, Ordering::Relaxed);
        assert_eq!(worker.extend(0).unwrap().reserve_ms, reserve_ms, "after {lived_ms} ms");
    }
}
