//! The origin of a generator's worker ID and its time.

use std::sync::Arc;

use super::fixed::FixedWorkerId;
use super::leased::StoreWorkerIds;
use super::reservation::Reservation;
use crate::error::Result;
use crate::host::Platform;
use crate::scheduler::Scheduler;

/// The origin of a worker ID, which also reserves its time.
pub(crate) enum WorkerIds {
    Store(Box<StoreWorkerIds>),
    Fixed(Box<FixedWorkerId>),
}

impl WorkerIds {
    /// Takes a worker ID with its first reserved time. `now_ms` is the caller's time, and
    /// `ahead_ms` is how far that is known to be ahead of the store's.
    pub(crate) fn take(
        &self,
        avoid: Option<u32>,
        now_ms: i64,
        ahead_ms: u32,
    ) -> Result<Reservation> {
        match self {
            WorkerIds::Store(worker) => worker.take(avoid, ahead_ms),
            WorkerIds::Fixed(worker) => worker.take(now_ms),
        }
    }

    pub(crate) fn extend(&self, now_ms: i64, ahead_ms: u32) -> Result<Reservation> {
        match self {
            WorkerIds::Store(worker) => worker.extend(ahead_ms),
            WorkerIds::Fixed(worker) => worker.extend(now_ms),
        }
    }

    /// Checks that this process, if it is a forked child or a restored image, can get another
    /// worker ID.
    ///
    /// # Errors
    /// [`Code::Forked`](crate::Code::Forked) if there is none.
    pub(crate) fn check_image(&self) -> Result<()> {
        match self {
            WorkerIds::Store(_) => Ok(()),
            WorkerIds::Fixed(worker) => worker.check_image(),
        }
    }

    /// Returns true if this holder may still have the worker ID, as far as is known without asking
    /// a store.
    pub(crate) fn may_go_on(&self) -> bool {
        match self {
            WorkerIds::Store(_) => true,
            WorkerIds::Fixed(worker) => worker.has_name(),
        }
    }

    /// Returns true if a first reservation may end before the answer to its renewal comes.
    pub(crate) fn is_slow(&self) -> bool {
        match self {
            WorkerIds::Store(worker) => worker.is_slow(),
            WorkerIds::Fixed(_) => false,
        }
    }

    pub(crate) fn fixed_id(&self) -> Option<u32> {
        match self {
            WorkerIds::Store(_) => None,
            WorkerIds::Fixed(worker) => Some(worker.worker_id()),
        }
    }

    /// Gives up the worker ID. Everything issued lies below `reached_ms`.
    pub(crate) fn give_up(&self, reached_ms: i64) -> Result<()> {
        match self {
            WorkerIds::Store(worker) => worker.give_up(),
            WorkerIds::Fixed(worker) => worker.give_up(reached_ms),
        }
    }

    /// Drops state that other images of this process may have too.
    pub(crate) fn forget(&self) {
        match self {
            WorkerIds::Store(worker) => worker.forget(),
            WorkerIds::Fixed(worker) => worker.forget(),
        }
    }

    /// Returns true for worker IDs of a store: there are others, the store's clock tells the time,
    /// and giving one up may take as long as the store does.
    pub(crate) fn is_store(&self) -> bool {
        matches!(self, WorkerIds::Store(_))
    }

    /// Returns the scheduler of the store, or of the state file alone.
    pub(crate) fn scheduler(&self, host: &Platform) -> Arc<Scheduler> {
        match self {
            WorkerIds::Store(worker) => worker.scheduler(),
            WorkerIds::Fixed(worker) => worker.scheduler(host),
        }
    }
}
