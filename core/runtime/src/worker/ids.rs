//! Where a generator's worker ID and its time come from.

use std::sync::Arc;

use super::fixed::FixedWorkerId;
use super::leased::StoreWorkerIds;
use super::reservation::Reservation;
use crate::error::Result;
use crate::host::Platform;
use crate::scheduler::Scheduler;

/// Where a generator's worker ID comes from: it reserves the time of that, too.
pub(crate) enum WorkerIds {
    Store(Box<StoreWorkerIds>),
    Fixed(Box<FixedWorkerId>),
}

impl WorkerIds {
    /// A worker ID and its first reserved time; `now_ms` is the caller's time, `ahead_ms` by how
    /// much it is known to be ahead of the store's.
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

    /// The same worker ID with more time.
    pub(crate) fn extend(&self, now_ms: i64, ahead_ms: u32) -> Result<Reservation> {
        match self {
            WorkerIds::Store(worker) => worker.extend(ahead_ms),
            WorkerIds::Fixed(worker) => worker.extend(now_ms),
        }
    }

    /// Whether there is another worker ID for a process that took this one's place.
    ///
    /// # Errors
    /// [`Code::Forked`](crate::Code::Forked) if there is none.
    pub(crate) fn check_image(&self) -> Result<()> {
        match self {
            WorkerIds::Store(_) => Ok(()),
            WorkerIds::Fixed(worker) => worker.check_image(),
        }
    }

    /// Whether the worker ID may still be this holder's, as far as can be told without asking a
    /// store.
    pub(crate) fn may_go_on(&self) -> bool {
        match self {
            WorkerIds::Store(_) => true,
            WorkerIds::Fixed(worker) => worker.has_name(),
        }
    }

    /// Whether a first reservation may be over before the answer to its renewal comes.
    pub(crate) fn is_slow(&self) -> bool {
        match self {
            WorkerIds::Store(worker) => worker.is_slow(),
            WorkerIds::Fixed(_) => false,
        }
    }

    /// The worker ID, where it is a fixed one.
    pub(crate) fn fixed_id(&self) -> Option<u32> {
        match self {
            WorkerIds::Store(_) => None,
            WorkerIds::Fixed(worker) => Some(worker.worker_id()),
        }
    }

    /// Gives the worker ID up; everything issued lies below `reached_ms`.
    pub(crate) fn give_up(&self, reached_ms: i64) -> Result<()> {
        match self {
            WorkerIds::Store(worker) => worker.give_up(),
            WorkerIds::Fixed(worker) => worker.give_up(reached_ms),
        }
    }

    /// Drops what other images of this process may have, too.
    pub(crate) fn forget(&self) {
        match self {
            WorkerIds::Store(worker) => worker.forget(),
            WorkerIds::Fixed(worker) => worker.forget(),
        }
    }

    /// Whether the worker ID is a store's: there are others, the store's clock tells the time, and
    /// giving it up may take as long as the store does.
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
