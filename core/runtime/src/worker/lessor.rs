//! Who reserves the time of a generator's worker ID.

use std::sync::Arc;

use super::fixed::MarkedWorker;
use super::leased::LeasedWorker;
use super::tenure::Tenure;
use crate::error::Result;
use crate::host::Platform;
use crate::keepers::Pool;

/// Reserves the time of a generator's worker ID.
pub(crate) enum Lessor {
    Store(Box<LeasedWorker>),
    Mark(Box<MarkedWorker>),
}

impl Lessor {
    /// A worker ID and its first reserved time; `now_ms` is the caller's time, `ahead_ms` by how
    /// much it is known to be ahead of the store's.
    pub(crate) fn take(&self, avoid: Option<u32>, now_ms: i64, ahead_ms: u32) -> Result<Tenure> {
        match self {
            Lessor::Store(worker) => worker.take(avoid, ahead_ms),
            Lessor::Mark(worker) => worker.take(now_ms),
        }
    }

    /// The same worker ID with more time.
    pub(crate) fn extend(&self, now_ms: i64, ahead_ms: u32) -> Result<Tenure> {
        match self {
            Lessor::Store(worker) => worker.extend(ahead_ms),
            Lessor::Mark(worker) => worker.extend(now_ms),
        }
    }

    /// Whether there is another worker ID for a process that took this one's place.
    ///
    /// # Errors
    /// [`Code::Forked`](crate::Code::Forked) if there is none.
    pub(crate) fn check_image(&self) -> Result<()> {
        match self {
            Lessor::Store(_) => Ok(()),
            Lessor::Mark(worker) => worker.check_image(),
        }
    }

    /// Whether the worker ID may still be this holder's, as far as can be told without asking a
    /// store.
    pub(crate) fn may_go_on(&self) -> bool {
        match self {
            Lessor::Store(_) => true,
            Lessor::Mark(worker) => worker.has_name(),
        }
    }

    /// Whether a first reservation may be over before the answer to its renewal comes.
    pub(crate) fn is_slow(&self) -> bool {
        match self {
            Lessor::Store(worker) => worker.is_slow(),
            Lessor::Mark(_) => false,
        }
    }

    /// The worker ID, where it is a fixed one.
    pub(crate) fn fixed_id(&self) -> Option<u32> {
        match self {
            Lessor::Store(_) => None,
            Lessor::Mark(worker) => Some(worker.worker_id()),
        }
    }

    /// Gives the worker ID up; everything issued lies below `reached_ms`.
    pub(crate) fn give_up(&self, reached_ms: i64) -> Result<()> {
        match self {
            Lessor::Store(worker) => worker.give_up(),
            Lessor::Mark(worker) => worker.give_up(reached_ms),
        }
    }

    /// Drops what other images of this process may have, too.
    pub(crate) fn forget(&self) {
        match self {
            Lessor::Store(worker) => worker.forget(),
            Lessor::Mark(worker) => worker.forget(),
        }
    }

    /// Whether the worker ID is a store's: there are others, the store's clock tells the time, and
    /// giving it up may take as long as the store does.
    pub(crate) fn is_store(&self) -> bool {
        matches!(self, Lessor::Store(_))
    }

    /// The keepers: those of the store, or of the mark alone.
    pub(crate) fn pool(self: &Arc<Self>, host: &Platform) -> Arc<Pool> {
        match &**self {
            Lessor::Store(worker) => worker.pool(),
            Lessor::Mark(_) => Pool::of(self, "snowmint-mark", host),
        }
    }
}
